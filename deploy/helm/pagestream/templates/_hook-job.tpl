{{/* (root, name, weight, arguments): a Job that must succeed before anything is installed or upgraded. It stays when it failed, to be looked at. */}}
{{- define "pagestream.hookJob" -}}
{{- $root := index . 0 -}}
{{- $name := printf "%s-%s" (include "pagestream.fullname" $root) (index . 1) -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $name }}
  labels:
    {{- include "pagestream.labels" (list $root "hook") | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: {{ index . 2 | quote }}
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: 3
  activeDeadlineSeconds: {{ $root.Values.hooks.deadlineSeconds }}
  # Exit code 2: usage, configuration or a refusal, which another try does not change.
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes: { containerName: pagestream, operator: In, values: [2] }
  template:
    metadata:
      labels:
        {{- include "pagestream.podLabels" (list $root "hook") | nindent 8 }}
    spec:
      {{- include "pagestream.podDefaults" (list $root (include "pagestream.hookServiceAccount" $root)) | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: pagestream
          {{- include "pagestream.container" (list $root list) | nindent 10 }}
          args:
            {{- toYaml (index . 3) | nindent 12 }}
          resources:
            {{- toYaml $root.Values.hooks.resources | nindent 12 }}
          volumeMounts:
            {{- include "pagestream.volumeMounts" $root | nindent 12 }}
      volumes:
        {{- include "pagestream.volumes" (list $root (printf "%s-hooks" (include "pagestream.fullname" $root)) "1Gi") | nindent 8 }}
{{- end -}}
