// Words that stand near a secret; for searches.

export const SECRET_WORD =
  /pass(?:word|wd)?|secret|token|api.?key|credential|private.?key|auth|(?:^|[^a-z])key(?:$|[^a-z])|AKIA|BEGIN [A-Z ]*PRIVATE/i;
