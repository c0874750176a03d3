/** Whether a message is all that will be said in it: one that is still written ends with a mark. */
export function isFinished({ text }: { readonly text: string }): boolean {
  return !text.endsWith(' …');
}
