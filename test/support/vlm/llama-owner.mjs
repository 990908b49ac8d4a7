// A process that starts the engine which the environment describes, keeps it busy and says the id of its child.
import { LlamaEngine } from '../../../dist/runtime/vlm/engines/llama/llama-engine.js'

const engine = new LlamaEngine(JSON.parse(process.env.ENGINE ?? ''), { cells: 1024, imageTokens: 256, gpu: false })
await engine.start()
const decoding = { temperature: 0, topP: 1, topK: 0, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }
process.send?.(engine.pid)
while (process.connected) await engine.ask({ task: 'test', prompt: 'Loop', decoding, maxTokens: 900 })
