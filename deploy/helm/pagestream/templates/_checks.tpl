{{/* What no schema can say: renders nothing, or ends with a sentence that names the keys. */}}
{{- define "pagestream.checks" -}}
{{- $config := include "pagestream.wholeConfig" . | fromJson -}}
{{- $workers := include "pagestream.workers" . | fromJsonArray -}}
{{- if not $config.kafka.brokers -}}
{{- fail "config.kafka.brokers is empty: name the brokers, host:port" -}}
{{- end -}}
{{- if not $config.store.url -}}
{{- fail "config.store.url is empty: name what all workers share, s3://bucket/prefix or file:///folder" -}}
{{- end -}}
{{- if and (hasPrefix "file:" $config.store.url) (not .Values.store.existingClaim) -}}
{{- fail (printf "store.existingClaim is empty: config.store.url is %s, a folder, and the pods need a claim that is mounted there" $config.store.url) -}}
{{- end -}}
{{- include "pagestream.checks.kafka" (list . $config) -}}
{{- include "pagestream.checks.engine" (list . $config $workers) -}}
{{- include "pagestream.checks.workers" (list . $config $workers) -}}
{{- if and .Values.backfill.enabled (or (not .Values.backfill.run) (not .Values.backfill.archive)) -}}
{{- fail "backfill.run and backfill.archive: both are needed where backfill.enabled is true" -}}
{{- end -}}
{{- end -}}

{{- define "pagestream.checks.kafka" -}}
{{- $root := index . 0 -}}
{{- $kafka := (index . 1).kafka -}}
{{- $mechanism := $kafka.sasl.mechanism -}}
{{- if and (has $mechanism (list "plain" "scram-sha-256" "scram-sha-512")) (not $root.Values.secrets.kafkaPassword.existingSecret) -}}
{{- fail (printf "secrets.kafkaPassword.existingSecret is empty: config.kafka.sasl.mechanism is %s and needs a password" $mechanism) -}}
{{- end -}}
{{- if and (eq $mechanism "oauthbearer") (not $root.Values.secrets.kafkaToken.existingSecret) -}}
{{- fail "secrets.kafkaToken.existingSecret is empty: config.kafka.sasl.mechanism is oauthbearer and needs a token" -}}
{{- end -}}
{{- if and $root.Values.secrets.kafkaTls.existingSecret (not $kafka.tls.enabled) -}}
{{- fail "config.kafka.tls.enabled is false, and secrets.kafkaTls.existingSecret names a certificate for it" -}}
{{- end -}}
{{- with $root.Values.secrets.kafkaTls -}}
{{- if ne (empty .cert) (empty .key) -}}
{{- fail "secrets.kafkaTls.cert and secrets.kafkaTls.key: both or none" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "pagestream.checks.engine" -}}
{{- $root := index . 0 -}}
{{- $vlm := (index . 1).vlm -}}
{{- $mode := $root.Values.engine.mode -}}
{{- if and (eq $mode "none") (ne $vlm.family "none") -}}
{{- fail (printf "engine.mode is none, and config.vlm.family is %s: say where its model runs, external, service, sidecar or managed" $vlm.family) -}}
{{- end -}}
{{- if and (ne $mode "none") (eq $vlm.family "none") -}}
{{- fail (printf "config.vlm.family is none, and engine.mode is %s: name the family of the model" $mode) -}}
{{- end -}}
{{- if and (eq $mode "external") (not $root.Values.engine.urls) -}}
{{- fail "engine.urls is empty: engine.mode is external" -}}
{{- end -}}
{{- if and (ne $mode "external") $root.Values.engine.urls -}}
{{- fail (printf "engine.urls is for engine.mode external, and engine.mode is %s" $mode) -}}
{{- end -}}
{{- if and (has $mode (list "sidecar" "service" "managed")) (not $vlm.engine.model) -}}
{{- fail (printf "config.vlm.engine.model is empty: engine.mode %s starts a server, which has to know its model" $mode) -}}
{{- end -}}
{{- $kinds := include "pagestream.engine.flags" $root | fromJson | keys | sortAlpha -}}
{{- if and (has $mode (list "sidecar" "service")) (not (has $vlm.engine.kind $kinds)) -}}
{{- fail (printf "config.vlm.engine.kind is %s: engine.mode %s starts one of %s" $vlm.engine.kind $mode (join ", " $kinds)) -}}
{{- end -}}
{{- if and (eq $mode "sidecar") $vlm.titleLevels -}}
{{- range index . 2 -}}
{{- if and (has "assemble" .stages) (not .hasSidecar) -}}
{{- fail (printf "config.vlm.titleLevels asks the model from the stage assemble, and workers.%s has no server beside it: take engine.mode service" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "pagestream.checks.workers" -}}
{{- $root := index . 0 -}}
{{- $partitions := int (index . 1).kafka.partitions -}}
{{- $known := (($root.Files.Get "files/defaults.json") | fromJson).topics -}}
{{- $workers := index . 2 -}}
{{- range $stage, $topic := $known -}}
{{- range $lane := list "live" "bulk" -}}
{{- $most := 0 -}}
{{- $names := list -}}
{{- range $workers -}}
{{- if and (has $stage .stages) (has $lane .served) -}}
{{- $most = add $most .most -}}
{{- $names = append $names (printf "workers.%s (%d)" .name (int .most)) -}}
{{- end -}}
{{- end -}}
{{- if and $root.Values.checks.everyStage (not $names) -}}
{{- fail (printf "no worker serves the stage %s on the lane %s, where records would wait for ever: add one, or set checks.everyStage to false" $stage $lane) -}}
{{- end -}}
{{- if gt (int $most) $partitions -}}
{{- fail (printf "config.kafka.partitions is %d, and the stage %s may have %d replicas on the lane %s: %s. Those beyond the partitions would stand idle; raise the partitions or lower maxReplicas" $partitions $stage (int $most) $lane (join ", " $names)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $workers -}}
{{- include "pagestream.checks.worker" (list $root .) -}}
{{- end -}}
{{- end -}}

{{- define "pagestream.checks.worker" -}}
{{- $root := index . 0 -}}
{{- $worker := index . 1 -}}
{{- $at := printf "workers.%s" $worker.name -}}
{{- if not $worker.stages -}}
{{- fail (printf "%s.stages is empty" $at) -}}
{{- end -}}
{{- if gt (len $worker.fullname) 52 -}}
{{- fail (printf "%s: %s is longer than 52 characters; shorten it by fullnameOverride" $at $worker.fullname) -}}
{{- end -}}
{{- with $worker.autoscaling -}}
{{- if .enabled -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- fail (printf "%s.autoscaling: minReplicas is more than maxReplicas" $at) -}}
{{- end -}}
{{- if lt (int .scaleDown.stabilizationSeconds) (int $worker.drainSeconds) -}}
{{- fail (printf "%s.autoscaling.scaleDown.stabilizationSeconds is %d, less than the %d s of a drain (worker.drainMs)" $at (int .scaleDown.stabilizationSeconds) (int $worker.drainSeconds)) -}}
{{- end -}}
{{- if and .scaleToZero (ne .trigger "kafka") -}}
{{- fail (printf "%s.autoscaling.scaleToZero needs the trigger kafka: a worker that is not there tells no metrics" $at) -}}
{{- end -}}
{{- if and (eq .trigger "prometheus") (not $root.Values.keda.prometheus.serverAddress) -}}
{{- fail (printf "keda.prometheus.serverAddress is empty, and %s.autoscaling.trigger is prometheus" $at) -}}
{{- end -}}
{{- if and (eq .trigger "kafka") (eq ((include "pagestream.wholeConfig" $root | fromJson).kafka.sasl.mechanism) "oauthbearer") (not $root.Values.keda.kafka.authenticationRef) -}}
{{- fail (printf "keda.kafka.authenticationRef is empty: KEDA cannot read the token of oauthbearer, which %s.autoscaling.trigger kafka needs" $at) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $names := list "PAGESTREAM_CONFIG" "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" -}}
{{- range concat $root.Values.env $worker.env -}}
{{- if has .name $names -}}
{{- fail (printf "%s.env: %s stands there twice, or is set by the chart" $at .name) -}}
{{- end -}}
{{- if hasPrefix "PAGESTREAM_" .name -}}
{{- fail (printf "%s.env: %s goes before the configuration; set the key under config instead" $at .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}
