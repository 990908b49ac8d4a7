{{/*
What all of pagestream is told, as JSON: `config` of the values, and what the chart itself decides. Numbers pass as JSON, since as YAML large ones
would be rounded.
*/}}
{{- define "pagestream.config" -}}
{{- $given := deepCopy .Values.config -}}
{{- $secrets := .Values.secrets -}}
{{- $own := dict "worker" (dict "host" "0.0.0.0" "port" 9464) -}}
{{- $tls := dict -}}
{{- with $secrets.kafkaTls -}}
{{- if .existingSecret -}}
{{- $tls = dict "caFile" "/etc/pagestream/kafka-tls/ca.crt" -}}
{{- if .cert -}}
{{- $tls = merge $tls (dict "certFile" "/etc/pagestream/kafka-tls/tls.crt" "keyFile" "/etc/pagestream/kafka-tls/tls.key") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $sasl := dict -}}
{{- if $secrets.kafkaPassword.existingSecret -}}
{{- $_ := set $sasl "passwordFile" "/etc/pagestream/kafka-password/password" -}}
{{- end -}}
{{- if $secrets.kafkaToken.existingSecret -}}
{{- $_ := set $sasl "tokenFile" "/etc/pagestream/kafka-token/token" -}}
{{- end -}}
{{- $_ := set $own "kafka" (dict "tls" $tls "sasl" $sasl) -}}
{{- if $secrets.inputPasswords.existingSecret -}}
{{- $_ := set $own "inputs" (dict "passwordsFile" "/etc/pagestream/input-passwords/passwords.txt") -}}
{{- end -}}
{{- if .Values.modelCache.models -}}
{{- $_ := set $own "models" (dict "directory" "/models/pagestream") -}}
{{- end -}}
{{- $engine := dict "managed" (eq .Values.engine.mode "managed") "urls" (include "pagestream.engine.urls" . | fromJsonArray) -}}
{{- if $secrets.engineApiKey.existingSecret -}}
{{- $_ := set $engine "apiKeyFile" "/etc/pagestream/engine-api-key/api-key" -}}
{{- end -}}
{{- if ne .Values.engine.mode "none" -}}
{{- $_ := set $own "vlm" (dict "engine" $engine) -}}
{{- end -}}
{{- mustMergeOverwrite $given $own | toJson -}}
{{- end -}}

{{/* The same with the default of every key. */}}
{{- define "pagestream.wholeConfig" -}}
{{- $defaults := (.Files.Get "files/defaults.json" | fromJson).config -}}
{{- mustMergeOverwrite $defaults (include "pagestream.config" . | fromJson) | toJson -}}
{{- end -}}

{{/* (root, worker): what one worker is told. */}}
{{- define "pagestream.workerConfig" -}}
{{- $root := index . 0 -}}
{{- $worker := index . 1 -}}
{{- $config := mustMergeOverwrite (include "pagestream.config" $root | fromJson) (deepCopy $worker.tuning) (dict "worker" (dict "host" "0.0.0.0" "port" 9464)) -}}
{{- $_ := set $config "device" (include "pagestream.device" $worker.gpu) -}}
{{- if and $worker.asksModel (eq $root.Values.engine.mode "service") -}}
{{- $_ := set $config.worker "patienceMs" (int64 $worker.patienceMs) -}}
{{- end -}}
{{- $config | toPrettyJson -}}
{{- end -}}

{{/* What models run on in a container that sees only what it was given. */}}
{{- define "pagestream.device" -}}
{{- if .device -}}
{{- .device -}}
{{- else if not .count -}}
cpu
{{- else if contains "/mig-" .resource -}}
auto
{{- else -}}
cuda:0
{{- end -}}
{{- end -}}
