export const prefix = "@redux-remote";

/** The action type a component dispatches, and those that report how it went. */
export const sent = (name: string) => `${prefix}/${name}`;
export const succeeded = (name: string) => `${prefix}/${name}_SUCCESS`;
export const failed = (name: string) => `${prefix}/${name}_ERROR`;

/** The protocol's own actions. Lower case: the names of remote actions are upper case. */
export const loaded = `${prefix}/loaded`;
export const pushed = `${prefix}/pushed`;
export const lost = `${prefix}/lost`;
export const signedOut = `${prefix}/signedOut`;
export const reset = `${prefix}/reset`;

export const conflict = { error: "remote action conflict" };

/** The name in a type that was sent by a component, or undefined for every other type. */
export function nameOf(type: string): string | undefined {
  const match = type.match(/^@redux-remote\/([A-Z][A-Z0-9_]*)$/);
  return match && !/_(SUCCESS|ERROR)$/.test(type) ? match[1] : undefined;
}
