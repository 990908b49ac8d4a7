{{- define "pagestream.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* First part of the name of every object: the release, with the chart where the release does not name it. */}}
{{- define "pagestream.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "pagestream.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "pagestream.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* (root, component): what selects the pods of a part. It never changes. */}}
{{- define "pagestream.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "pagestream.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* (root, component): the labels that Kubernetes recommends, without those that change with the chart alone: they would renew pods for nothing. */}}
{{- define "pagestream.podLabels" -}}
{{- $root := index . 0 -}}
{{ include "pagestream.selector" . }}
app.kubernetes.io/version: {{ $root.Values.image.tag | default $root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/part-of: pagestream
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* (root, component): all labels that Kubernetes recommends. */}}
{{- define "pagestream.labels" -}}
{{- $root := index . 0 -}}
{{ include "pagestream.podLabels" . }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- end -}}

{{- define "pagestream.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "pagestream.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* What hooks run as: at the first installation they run before the other account is there. */}}
{{- define "pagestream.hookServiceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- printf "%s-hooks" (include "pagestream.fullname" .) -}}
{{- else -}}
{{- include "pagestream.serviceAccount" . -}}
{{- end -}}
{{- end -}}

{{/* (image, tag when it names none) */}}
{{- define "pagestream.image" -}}
{{- $image := index . 0 -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default (index . 1)) -}}
{{- end -}}
{{- end -}}

{{- define "pagestream.modelClaim" -}}
{{- with .Values.modelCache.claim -}}
{{- if .existingClaim -}}
{{- .existingClaim -}}
{{- else if .create -}}
{{- printf "%s-models" (include "pagestream.fullname" $) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether the metrics of servers are scraped: where somebody is named who may, or nothing is fenced. */}}
{{- define "pagestream.engine.isScraped" -}}
{{- if and (has .Values.engine.mode (list "sidecar" "service")) (or .Values.networkPolicy.scrapers (not .Values.networkPolicy.enabled)) -}}
true
{{- end -}}
{{- end -}}
