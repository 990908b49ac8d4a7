{{/* What KEDA reads of the secrets that the workers use; empty where there are none. */}}
{{- define "pagestream.keda.secrets" -}}
{{- with .Values.secrets.kafkaPassword }}
{{- if .existingSecret }}
- parameter: password
  name: {{ .existingSecret }}
  key: {{ .key }}
{{- end }}
{{- end }}
{{- with .Values.secrets.kafkaTls }}
{{- if .existingSecret }}
- parameter: ca
  name: {{ .existingSecret }}
  key: {{ .ca }}
{{- if .cert }}
- parameter: cert
  name: {{ .existingSecret }}
  key: {{ .cert }}
- parameter: key
  name: {{ .existingSecret }}
  key: {{ .key }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
