{{/* Addresses of the servers, as a JSON list. Replicas of the service are named one by one, as the worker asks the least busy and leaves out who is away. */}}
{{- define "pagestream.engine.urls" -}}
{{- $urls := .Values.engine.urls -}}
{{- if eq .Values.engine.mode "sidecar" -}}
{{- $urls = list (printf "http://127.0.0.1:%d" (int .Values.engine.server.port)) -}}
{{- else if eq .Values.engine.mode "service" -}}
{{- $urls = list -}}
{{- $name := printf "%s-engine" (include "pagestream.fullname" .) -}}
{{- range $index := until (int .Values.engine.service.replicas) -}}
{{- $urls = append $urls (printf "http://%s-%d.%s.%s.svc:%d" $name $index $name $.Release.Namespace (int $.Values.engine.server.port)) -}}
{{- end -}}
{{- end -}}
{{- $urls | toJson -}}
{{- end -}}

{{/*
The container of a server. Its caches lie on a volume, as its root is read-only and its user owns no home. It listens on all addresses, since probes come
from the node; the NetworkPolicy lets in only who asks.
*/}}
{{- define "pagestream.engine.container" -}}
{{- $root := . -}}
{{- $server := $root.Values.engine.server -}}
{{- $vlm := (include "pagestream.wholeConfig" $root | fromJson).vlm -}}
{{- $apiKey := $root.Values.secrets.engineApiKey -}}
name: engine
image: {{ include "pagestream.image" (list $server.image "latest") }}
imagePullPolicy: {{ $server.image.pullPolicy }}
securityContext:
  {{- include "pagestream.containerSecurity" $root | nindent 2 }}
{{- with $server.command }}
command:
  {{- toYaml . | nindent 2 }}
{{- end }}
args:
  {{- $flags := get (include "pagestream.engine.flags" $root | fromJson) $vlm.engine.kind | default dict }}
  {{- with $flags.model }}
  - {{ . }}
  {{- end }}
  - {{ $vlm.engine.model | quote }}
  {{- if and (eq $vlm.engine.kind "llama-server") $vlm.engine.projector }}
  - --mmproj
  - {{ $vlm.engine.projector | quote }}
  {{- end }}
  {{- with $server.args }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if and $apiKey.existingSecret $flags.key }}
  - {{ $flags.key }}
  - $(ENGINE_API_KEY)
  {{- end }}
  - {{ $flags.host }}
  - 0.0.0.0
  - {{ $flags.port }}
  - {{ $server.port | quote }}
env:
  - name: HOME
    value: /cache
  - name: LOGNAME
    value: pagestream
  - name: HF_HOME
    value: {{ ternary "/models/huggingface" "/cache/huggingface" (ne (include "pagestream.modelClaim" $root) "") }}
  - name: DO_NOT_TRACK
    value: '1'
  {{- if $apiKey.existingSecret }}
  - name: {{ $flags.keyVariable | default "ENGINE_API_KEY" }}
    valueFrom:
      secretKeyRef:
        name: {{ $apiKey.existingSecret }}
        key: {{ $apiKey.key }}
  {{- end }}
  {{- with $server.env }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
ports:
  - name: engine
    containerPort: {{ $server.port }}
startupProbe:
  httpGet: { path: {{ $server.healthPath }}, port: engine }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: {{ div (add (int64 $vlm.engine.startMs) 4999) 5000 }}
livenessProbe:
  httpGet: { path: {{ $server.healthPath }}, port: engine }
  periodSeconds: 15
  timeoutSeconds: 10
  failureThreshold: 4
readinessProbe:
  httpGet: { path: {{ $server.healthPath }}, port: engine }
  periodSeconds: 5
  timeoutSeconds: 5
resources:
  {{- include "pagestream.resources" (list $server.resources $server.gpu) | nindent 2 }}
volumeMounts:
  - name: engine-cache
    mountPath: /cache
  - name: engine-tmp
    mountPath: /tmp
  - name: engine-shm
    mountPath: /dev/shm
  {{- if include "pagestream.modelClaim" $root }}
  {{- include "pagestream.modelMount" (list $root false) | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* How servers are told their model, address and key; what goes before them is `engine.server.command`. */}}
{{- define "pagestream.engine.flags" -}}
{{- dict
  "vllm" (dict "host" "--host" "port" "--port" "keyVariable" "VLLM_API_KEY")
  "sglang" (dict "model" "--model-path" "host" "--host" "port" "--port" "key" "--api-key")
  "lmdeploy" (dict "host" "--server-name" "port" "--server-port" "key" "--api-keys")
  "llama-server" (dict "model" "-m" "host" "--host" "port" "--port" "keyVariable" "LLAMA_API_KEY")
| toJson -}}
{{- end -}}

{{- define "pagestream.engine.volumes" -}}
{{- $server := .Values.engine.server -}}
- name: engine-cache
  emptyDir:
    sizeLimit: {{ $server.cacheSize }}
- name: engine-tmp
  emptyDir:
    sizeLimit: 4Gi
- name: engine-shm
  emptyDir:
    medium: Memory
    sizeLimit: {{ $server.sharedMemorySize }}
{{- end -}}
