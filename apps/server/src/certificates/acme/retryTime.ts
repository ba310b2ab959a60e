/** The time in a Retry-After header: a number of seconds, or a date. */
export function retryTime(headers: Headers): Date | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const time = /^\d+$/.test(value) ? Date.now() + Number(value) * 1000 : Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time);
}
