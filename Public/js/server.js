// Where this file came from: the server of the strips.

/** The folder that the server's files are in. */
export const SERVER = new URL("..", import.meta.url);
