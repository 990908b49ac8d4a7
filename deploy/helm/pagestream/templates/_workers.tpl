{{/*
The workers that are switched on, as a JSON list: each with its defaults, its `name` (a Deployment each; with lanes: split two), the lanes that it
serves, and what follows from them and from its settings.
*/}}
{{- define "pagestream.workers" -}}
{{- $workers := list -}}
{{- range $key, $given := .Values.workers -}}
{{- $worker := mustMergeOverwrite (deepCopy $.Values.workerDefaults) (deepCopy $given) -}}
{{- if $worker.enabled -}}
{{- if eq $worker.lanes "split" -}}
{{- range $lane := list "live" "bulk" -}}
{{- $one := mustMergeOverwrite (deepCopy $worker) (deepCopy (get $worker $lane)) (dict "lanes" $lane "name" (printf "%s-%s" $key $lane)) -}}
{{- $workers = append $workers (include "pagestream.worker" (list $ $one) | fromJson) -}}
{{- end -}}
{{- else -}}
{{- $workers = append $workers (include "pagestream.worker" (list $ (set $worker "name" $key)) | fromJson) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $workers | toJson -}}
{{- end -}}

{{- define "pagestream.worker" -}}
{{- $root := index . 0 -}}
{{- $worker := index . 1 -}}
{{- $config := mustMergeOverwrite (include "pagestream.wholeConfig" $root | fromJson) (deepCopy $worker.tuning) -}}
{{- $engine := $root.Values.engine -}}
{{- $asksModel := and (ne $config.vlm.family "none") (or (has "layout" $worker.stages) (has "region-recognition" $worker.stages)) -}}
{{- $hasSidecar := and $asksModel (eq $engine.mode "sidecar") -}}
{{- $drainSeconds := div (add (int64 $config.worker.drainMs) 999) 1000 -}}
{{- $graceSeconds := add $drainSeconds $worker.drainMarginSeconds (ternary $engine.server.stopSeconds 0 $hasSidecar) -}}
{{/* Brokers and engine are waited for, the model is loaded and shown a page, groups are joined. */}}
{{- $patienceMs := int64 $config.worker.patienceMs -}}
{{- if and $asksModel (eq $engine.mode "service") -}}
{{/* A server that was just installed loads its model for minutes; a worker that gave up meanwhile would be started again and again. */}}
{{- $patienceMs = max $patienceMs (int64 $config.vlm.engine.startMs) -}}
{{- end -}}
{{- $startMs := add $patienceMs (ternary (int64 $config.vlm.engine.startMs) 0 $asksModel) 120000 -}}
{{- $lanes := ternary (list "live" "bulk") (list $worker.lanes) (eq $worker.lanes "both") -}}
{{- $tmpMiB := add 2048 (mul (len $lanes) (div (int64 $config.inputs.cacheBytes) 1048576)) -}}
{{- $derived := dict
  "fullname" (printf "%s-%s" (include "pagestream.fullname" $root) $worker.name)
  "served" $lanes
  "asksModel" $asksModel
  "hasSidecar" $hasSidecar
  "patienceMs" $patienceMs
  "drainSeconds" $drainSeconds
  "graceSeconds" $graceSeconds
  "startSeconds" (div $startMs 1000)
  "tmpSize" ($worker.tmpSize | default (printf "%dMi" $tmpMiB))
  "most" (ternary $worker.autoscaling.maxReplicas $worker.replicas $worker.autoscaling.enabled)
-}}
{{- mustMergeOverwrite $worker $derived | toJson -}}
{{- end -}}

{{- define "pagestream.priorityClass" -}}
{{- $root := index . 0 -}}
{{- $worker := index . 1 -}}
{{- if $worker.priorityClassName -}}
{{- $worker.priorityClassName -}}
{{- else if $root.Values.priorityClasses.create -}}
{{- printf "%s-%s-%s" $root.Release.Namespace (include "pagestream.fullname" $root) (ternary "bulk" "live" (eq $worker.lanes "bulk")) -}}
{{- end -}}
{{- end -}}
