// What everything that may take long can be given.

export interface Abortable {
  readonly signal?: AbortSignal;
}
