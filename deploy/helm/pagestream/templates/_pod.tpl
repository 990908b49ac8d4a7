{{/* Of every container. */}}
{{- define "pagestream.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* (root, service account): what every pod has in common. */}}
{{- define "pagestream.podDefaults" -}}
{{- $root := index . 0 -}}
serviceAccountName: {{ index . 1 }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* (root, own variables): the environment of pagestream. All else it reads from its file. */}}
{{- define "pagestream.env" -}}
{{- $root := index . 0 -}}
- name: PAGESTREAM_CONFIG
  value: /etc/pagestream/config/pagestream.json
{{- with $root.Values.secrets.storeCredentials }}
{{- if .existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .accessKeyId }}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .secretAccessKey }}
{{- end }}
{{- end }}
{{- with concat $root.Values.env (index . 1) }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Image, rights and environment of a container that runs pagestream: (root, own variables). */}}
{{- define "pagestream.container" -}}
{{- $root := index . 0 -}}
image: {{ include "pagestream.image" (list $root.Values.image $root.Chart.AppVersion) }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
securityContext:
  {{- include "pagestream.containerSecurity" $root | nindent 2 }}
env:
  {{- include "pagestream.env" . | nindent 2 }}
{{- end -}}

{{/* The secrets that become files, as a JSON list of { name, secret, items }. */}}
{{- define "pagestream.secretFiles" -}}
{{- $files := list -}}
{{- with .Values.secrets -}}
{{- if .kafkaPassword.existingSecret -}}
{{- $files = append $files (dict "name" "kafka-password" "secret" .kafkaPassword.existingSecret "items" (list (dict "key" .kafkaPassword.key "path" "password"))) -}}
{{- end -}}
{{- if .kafkaToken.existingSecret -}}
{{- $files = append $files (dict "name" "kafka-token" "secret" .kafkaToken.existingSecret "items" (list (dict "key" .kafkaToken.key "path" "token"))) -}}
{{- end -}}
{{- with .kafkaTls -}}
{{- if .existingSecret -}}
{{- $items := list (dict "key" .ca "path" "ca.crt") -}}
{{- if .cert -}}
{{- $items = concat $items (list (dict "key" .cert "path" "tls.crt") (dict "key" .key "path" "tls.key")) -}}
{{- end -}}
{{- $files = append $files (dict "name" "kafka-tls" "secret" .existingSecret "items" $items) -}}
{{- end -}}
{{- end -}}
{{- if .engineApiKey.existingSecret -}}
{{- $files = append $files (dict "name" "engine-api-key" "secret" .engineApiKey.existingSecret "items" (list (dict "key" .engineApiKey.key "path" "api-key"))) -}}
{{- end -}}
{{- if .inputPasswords.existingSecret -}}
{{- $files = append $files (dict "name" "input-passwords" "secret" .inputPasswords.existingSecret "items" (list (dict "key" .inputPasswords.key "path" "passwords.txt"))) -}}
{{- end -}}
{{- end -}}
{{- $files | toJson -}}
{{- end -}}

{{/* Where a store that is a folder lies; empty for a bucket. */}}
{{- define "pagestream.storeFolder" -}}
{{- if .Values.store.existingClaim -}}
{{- (include "pagestream.wholeConfig" . | fromJson).store.url | trimPrefix "file://" -}}
{{- end -}}
{{- end -}}

{{/* (root): where a container that runs pagestream finds its files. */}}
{{- define "pagestream.volumeMounts" -}}
- name: config
  mountPath: /etc/pagestream/config
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- range include "pagestream.secretFiles" . | fromJsonArray }}
- name: {{ .name }}
  mountPath: /etc/pagestream/{{ .name }}
  readOnly: true
{{- end }}
{{- with include "pagestream.storeFolder" . }}
- name: store
  mountPath: {{ . }}
{{- end }}
{{- end -}}

{{/* (root, config map, size of /tmp) */}}
{{- define "pagestream.volumes" -}}
{{- $root := index . 0 -}}
- name: config
  configMap:
    name: {{ index . 1 }}
- name: tmp
  emptyDir:
    sizeLimit: {{ index . 2 }}
{{- range include "pagestream.secretFiles" $root | fromJsonArray }}
- name: {{ .name }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
    items:
      {{- toYaml .items | nindent 6 }}
{{- end }}
{{- if $root.Values.store.existingClaim }}
- name: store
  persistentVolumeClaim:
    claimName: {{ $root.Values.store.existingClaim }}
{{- end }}
{{- end -}}

{{/* (root, component, list of constraints): the selector is that of the pods themselves. */}}
{{- define "pagestream.topologySpread" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- range index . 2 }}
- topologyKey: {{ .topologyKey }}
  maxSkew: {{ .maxSkew | default 1 }}
  whenUnsatisfiable: {{ .whenUnsatisfiable | default "ScheduleAnyway" }}
  labelSelector:
    matchLabels:
      {{- include "pagestream.selector" (list $root $component) | nindent 6 }}
{{- end }}
{{- end -}}

{{/* (resources, gpu): requests and limits with the device, which is asked for as a whole and never overcommitted. */}}
{{- define "pagestream.resources" -}}
{{- $resources := deepCopy (index . 0) -}}
{{- with index . 1 -}}
{{- if .count -}}
{{- $limits := mustMergeOverwrite (dict) (get $resources "limits" | default dict) (dict .resource (int .count)) -}}
{{- $_ := set $resources "limits" $limits -}}
{{- end -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{/* (spec): nodes and priority, for those keys that are set. */}}
{{- define "pagestream.placement" -}}
{{- with .runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
