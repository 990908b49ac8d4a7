import type { VlmFamily } from '../../page-reader.ts'
import type { ServerKind } from './server-plan.ts'

/** What to install for a server, and where it can be had. */
export function installHint(kind: ServerKind, family?: VlmFamily): string {
  switch (kind) {
    case 'vllm':
      return `${vllmPackages(family)} (Linux with an NVIDIA GPU)`
    case 'sglang':
      return 'pip install "sglang[all]" (Linux with an NVIDIA GPU)'
    case 'lmdeploy':
      return 'pip install "lmdeploy>=0.10.2,<0.12" (Linux or Windows with an NVIDIA GPU)'
    case 'mlx':
      return "pip install mlx-vlm (a Mac with Apple's processor)"
    case 'transformers':
      return 'pip install "transformers[serving]" (any platform; slow)'
    case 'llama-server':
      return "llama-server of llama.cpp on the PATH: brew install llama.cpp, winget install llama.cpp, or a build from llama.cpp's releases (any platform)"
  }
}

function vllmPackages(family: VlmFamily | undefined): string {
  switch (family) {
    case 'unlimited-ocr':
      return 'pip install "vllm>=0.25.0"'
    case 'teleocr':
      return 'pip install "vllm==0.11.0" mineru-vl-utils, with the TeleOCR plugin of its makers'
    default:
      return 'pip install "vllm>=0.10.1,<0.22" mineru-vl-utils'
  }
}
