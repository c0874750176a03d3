// How the commands about one session are told which.

export const sessionArgument = { name: 'id', doc: 'id of the session, or the beginning of it' } as const;
