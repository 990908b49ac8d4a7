{{/* (root, read-only): the volume of models where pagestream looks for them. */}}
{{- define "pagestream.modelMount" -}}
- name: models
  mountPath: /models
{{- if index . 1 }}
  readOnly: true
{{- end }}
{{- end -}}

{{- define "pagestream.modelVolume" -}}
- name: models
{{- with include "pagestream.modelClaim" . }}
  persistentVolumeClaim:
    claimName: {{ . }}
{{- else }}
  emptyDir:
    sizeLimit: {{ .Values.modelCache.claim.size }}
{{- end }}
{{- end -}}

{{/*
Before a worker starts: where a claim keeps the models, that they are there and whole (a Job fetches them, and this is tried again until it has); else
they are fetched into the pod. A file gets its name only after its checksum is right.
*/}}
{{- define "pagestream.modelInit" -}}
{{- $claim := include "pagestream.modelClaim" . -}}
- name: models
  {{- include "pagestream.container" (list . list) | nindent 2 }}
  args:
    - models
    - {{ ternary "verify" "fetch" (ne $claim "") }}
    {{- toYaml .Values.modelCache.models | nindent 4 }}
  resources:
    requests: { cpu: 250m, memory: 256Mi }
    limits: { memory: 1Gi }
  volumeMounts:
    {{- include "pagestream.volumeMounts" . | nindent 4 }}
    {{- include "pagestream.modelMount" (list . (ne $claim "")) | nindent 4 }}
{{- end -}}
