/** One line of the report of `doctor`. `missing` is needed and not there, `absent` is optional. */
export interface Finding {
  readonly about: string
  readonly state: 'ok' | 'missing' | 'absent'
  readonly detail: string
  readonly fix?: string
}
