/** The time after which the dashboard gives up a call. The server answers before that, also if others let it wait. */
export const callTimeoutMs = 20_000;
