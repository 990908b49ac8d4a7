import { reasonOf } from './reason.ts'

/**
 * The fate of a failure is decided by its class alone: transient and overload are tried again with growing pauses,
 * resource and model once more with the page alone, the others not at all. What failed for good goes to the dead letters.
 */
export const failureClasses = ['transient', 'overload', 'input', 'model', 'resource', 'expired-claim', 'bug'] as const
export type FailureClass = (typeof failureClasses)[number]

/** Every code there is, its class, what it means and the way out. `docs/errors.md` has one heading for each. */
export const failureCodes = {
  'document-not-found': { class: 'input', means: 'The file does not exist or may not be read.', fix: 'Check the path and its permissions.' },
  'document-empty': { class: 'input', means: 'The file has no bytes.', fix: 'Fetch or export the file again.' },
  'document-not-supported': {
    class: 'input',
    means: 'The bytes are neither a PDF nor a picture that can be decoded, whatever the name says.',
    fix: 'Convert the file to PDF, PNG, JPEG, WebP, TIFF, GIF or AVIF.',
  },
  'document-corrupt': {
    class: 'input',
    means: 'The file begins like a document but cannot be opened: it is damaged or cut off.',
    fix: 'Repair it (for example by saving it anew in a PDF reader) or fetch it again.',
  },
  'document-no-pages': {
    class: 'input',
    means: 'The document opens but has no pages, or none of those asked for.',
    fix: 'Check --pages against the page count.',
  },
  'document-too-large': { class: 'input', means: 'The file is larger than limits.maxDocumentBytes.', fix: 'Raise the limit or split the file.' },
  'document-ambiguous': {
    class: 'input',
    means: 'Several documents have ids that begin like the one that was asked for.',
    fix: 'Give more characters of the id, or all; `--json` prints whole ids.',
  },
  'directory-empty': {
    class: 'input',
    means: 'A folder or glob holds no documents.',
    fix: 'Check the path; files are recognised by content, hidden files are left out.',
  },
  'manifest-invalid': {
    class: 'input',
    means: 'A line of a manifest is neither a path nor a JSON object with one.',
    fix: 'Write one path a line, or {"path": "…", "name": "…", "id": "…"}.',
  },
  'backfill-unknown': {
    class: 'input',
    means: 'The store holds no backfill of that id.',
    fix: 'Use the id that `pagestream backfill run` printed, with the same configuration.',
  },
  'backfill-busy': {
    class: 'input',
    means: 'Another process works on this backfill.',
    fix: 'Pause it or cancel it first.',
  },
  'password-required': {
    class: 'input',
    means: 'The document is encrypted and no password was given, or none of inputs.passwordsFile opens it.',
    fix: 'Give it with --password; for workers, add it to the file of inputs.passwordsFile and replay the dead letter.',
  },
  'password-wrong': { class: 'input', means: 'The document is encrypted and the password does not open it.', fix: 'Check the password.' },
  'unsupported-encryption': {
    class: 'input',
    means: 'The document is protected by a security handler other than a password, for example certificates.',
    fix: 'Remove the protection with the software that made it.',
  },
  'page-corrupt': { class: 'input', means: 'The page is listed but cannot be loaded.', fix: 'Repair the file; the other pages are read.' },
  'page-too-large': {
    class: 'input',
    means: 'The page or picture has no size, or one over the limits.',
    fix: 'Raise limits.maxPagePoints or limits.maxPicturePixels.',
  },
  'picture-corrupt': { class: 'input', means: 'The picture cannot be decoded to the end.', fix: 'Save it anew or fetch it again.' },
  'page-timeout': {
    class: 'resource',
    means: 'Reading the page took longer than limits.pageTimeoutMs and was ended.',
    fix: 'Raise the limit if the page is worth it.',
  },
  'page-crashed': { class: 'input', means: 'The page made the PDF engine trap.', fix: 'Report the file; the other pages are read.' },
  'page-memory': { class: 'resource', means: 'The page asked for more memory than limits.engineMemoryBytes.', fix: 'Raise the limit or lower render.dpi.' },
  'model-missing': {
    class: 'model',
    means: 'A model file is not there or has another checksum.',
    fix: 'Run `pagestream models fetch` and `pagestream doctor`.',
  },
  'model-failed': {
    class: 'model',
    means: 'The model could not be loaded or gave no usable answer.',
    fix: 'Run `pagestream doctor`; the message says what went wrong.',
  },
  'engine-unreachable': {
    class: 'transient',
    means: 'The engine of the vision-language model cannot be reached, or a connection to it was cut.',
    fix: 'Check that the server runs and vlm.engine.urls; work goes on by itself when it answers.',
  },
  'engine-busy': { class: 'overload', means: 'The engine says that it has too much to do.', fix: 'Fewer slots (vlm.engine.slots) or more servers.' },
  'engine-timeout': {
    class: 'transient',
    means: 'An answer took longer than vlm.engine.timeoutMs, or stood still for vlm.engine.silenceMs.',
    fix: 'Look whether the server is overloaded or hangs; raise the times for a slow one.',
  },
  'engine-failed': { class: 'transient', means: 'The engine broke while it worked on a question.', fix: 'Look at the log of the engine.' },
  'engine-memory': {
    class: 'resource',
    means: 'The engine ran out of memory on a question.',
    fix: 'Fewer slots, smaller pictures (render.dpi) or a larger GPU.',
  },
  'engine-refused': {
    class: 'input',
    means: 'The engine is not what the configuration says: wrong address, no such model, no valid key, not that kind of server.',
    fix: 'Check vlm.engine: urls, model, apiKeyFile, kind; `pagestream doctor` asks it.',
  },
  'engine-missing': {
    class: 'input',
    means: 'What the engine needs is not installed: a command, an optional package, a library.',
    fix: 'Install what the message names, or choose another vlm.engine.kind; leave textModel.file empty where no text model is wanted.',
  },
  'engine-not-started': {
    class: 'input',
    means: 'A server that pagestream starts itself has ended, or was not ready in time (vlm.engine.startMs): a model that it cannot load, too little memory.',
    fix: 'The message has the last words of its log. Check vlm.engine.model, projector and arguments; `pagestream engine serve` shows the whole log.',
  },
  'model-refused': {
    class: 'input',
    means: 'The model does not answer a known picture as its family does: another model, a wrong template, or a server that strips special tokens.',
    fix: 'See docs/engines.md for how to start the server for this family.',
  },
  'picture-refused': { class: 'model', means: 'The engine takes no such picture or prompt.', fix: 'Report it with the message; the block is read by PP-OCR.' },
  'answer-invalid': {
    class: 'model',
    means: 'The answer of the engine is not what its protocol or the family of the model says.',
    fix: 'Nothing for a single block, which is read by PP-OCR; where all fail, check vlm.family and the model.',
  },
  'artifact-missing': { class: 'expired-claim', means: 'An event refers to data that is no longer in the store.', fix: 'Submit the document again.' },
  configuration: {
    class: 'input',
    means: 'The configuration cannot be used: a file that cannot be read, an unknown key or a value out of its range.',
    fix: 'Correct the keys that the message names; docs/config.md lists them.',
  },
  'output-busy': {
    class: 'transient',
    means: 'Another run writes into the same output folder.',
    fix: 'Wait for it to end, name another folder with --out, or hand all inputs to one run. A lock that a dead run has left behind is taken over.',
  },
  'message-not-json': {
    class: 'input',
    means: 'A record on a topic is no JSON text.',
    fix: 'Correct the sender; the record is kept whole in the dead letters.',
  },
  'message-invalid': {
    class: 'input',
    means: 'A record on a topic breaks the schema of that topic.',
    fix: 'Compare it with docs/schema; the message names the first key that is wrong.',
  },
  'message-version': {
    class: 'input',
    means: 'A record names a type or version that this topic does not carry.',
    fix: 'Send it to its own topic, or upgrade the workers first.',
  },
  'message-too-large': {
    class: 'input',
    means: 'A record is larger than kafka.maxMessageBytes.',
    fix: 'Raise the key and the max.message.bytes of the topics (`pagestream topics apply`).',
  },
  'message-refused': {
    class: 'input',
    means: 'The broker takes no such record: it breaks a rule of its topic.',
    fix: 'Look at the rules of the topic and of the broker (cleanup.policy, checks of schemas); `pagestream topics plan` shows what differs.',
  },
  'kafka-topic-missing': {
    class: 'input',
    means: 'A topic does not exist on the broker.',
    fix: 'Run `pagestream topics apply`; if it is there, grant the rights that docs/operations.md lists.',
  },
  'kafka-refused': {
    class: 'input',
    means: 'The broker refuses us: wrong credentials, or a version or mechanism it does not speak.',
    fix: 'Check kafka.sasl and kafka.tls against the listener of the broker.',
  },
  'kafka-forbidden': {
    class: 'input',
    means: 'The broker knows us and does not let us do what we ask for.',
    fix: 'Grant the rights that docs/operations.md lists to the user of kafka.sasl.',
  },
  'worker-stalled': {
    class: 'resource',
    means: 'A worker has pages in hand and has finished nothing for worker.stallMs: it ends, and its pages come again to another.',
    fix: 'Look at the engine and the store that it works with; raise the key when single pages may take longer.',
  },
  'port-unavailable': {
    class: 'input',
    means: 'A worker cannot listen on worker.host and worker.port: another process does, or it has no right to.',
    fix: 'Give every worker of a host a port of its own (--port, worker.port), or 0 for none.',
  },
  'kafka-unreachable': {
    class: 'transient',
    means: 'No broker answers.',
    fix: 'Check kafka.brokers, kafka.tls, kafka.sasl and the network; workers wait for a broker that was there before.',
  },
  'input-forbidden': {
    class: 'input',
    means: 'A document names a place that the configuration does not allow: a scheme, folder, bucket or host.',
    fix: 'Add it to inputs, or put the file into the store (`pagestream submit` does).',
  },
  'input-changed': {
    class: 'input',
    means: 'The bytes of a document are not those that were hashed when it was submitted: it was changed meanwhile or after.',
    fix: 'Submit it again, when nobody writes to it any more.',
  },
  'input-unreachable': {
    class: 'transient',
    means: 'The server that a document lies on cannot be reached, is too slow, or answers with an error of its own.',
    fix: 'Check the reference and the network; raise inputs.fetchTimeoutMs for slow servers.',
  },
  'store-refused': {
    class: 'input',
    means: 'The bucket of store.url does not exist, or the credentials do not open it.',
    fix: 'Check store.url, store.endpoint, store.region and the credentials that the AWS SDK finds; docs/operations.md lists the rights.',
  },
  'store-unfit': {
    class: 'input',
    means: 'The store does not keep to what workers build on: what was written comes back, and of several writers of one object exactly one is the first.',
    fix: 'Use a store that decides PutObject with If-None-Match in one step, as AWS and versitygw do; for a folder, a file system that has hard links.',
  },
  'store-failed': { class: 'transient', means: 'The store could not be read or written.', fix: 'Check disk space and permissions.' },
  cancelled: { class: 'transient', means: 'The run was stopped before the page was read.', fix: 'Run it again: it resumes where it stopped.' },
  internal: { class: 'bug', means: 'A fault of pagestream itself.', fix: 'Report it with the message.' },
} as const satisfies Record<string, { class: FailureClass; means: string; fix: string }>

export type FailureCode = keyof typeof failureCodes

/** A failure as data: crosses topics and stands in document.json. The message never holds document text. */
export interface Failure {
  class: FailureClass
  code: FailureCode
  message: string
}

/** A failure as an exception, inside the process. `message` begins with the action: "opening the document: …". */
export class PagestreamError extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'PagestreamError'
    this.code = code
  }

  get class(): FailureClass {
    return failureCodes[this.code].class
  }
}

/**
 * The failure that an exception stands for. What is not ours is `internal`; `action` says what was being done ("laying out page 3").
 * The message of a foreign exception is not passed on.
 */
export function toFailure(error: unknown, action?: string): Failure {
  if (error instanceof PagestreamError) return { class: error.class, code: error.code, message: error.message }
  const reason = reasonOf(error)
  return { class: 'bug', code: 'internal', message: action ? `${action}: ${reason}` : reason }
}
