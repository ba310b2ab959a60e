export const prefix = "@redux-remote";

/** The action types that a component dispatches, and those that report its success or failure. */
export const sent = (name: string) => `${prefix}/${name}`;
export const succeeded = (name: string) => `${prefix}/${name}_SUCCESS`;
export const failed = (name: string) => `${prefix}/${name}_ERROR`;

/** The protocol's own action types. They are lower case to differ from remote actions, which are upper case. */
export const loaded = `${prefix}/loaded`;
export const pushed = `${prefix}/pushed`;
export const lost = `${prefix}/lost`;
export const signedOut = `${prefix}/signedOut`;
export const reset = `${prefix}/reset`;

export const conflict = { error: "remote action conflict" };

/** The name of the remote action that a component dispatched; undefined for any other action type. */
export function nameOf(type: string): string | undefined {
  const match = type.match(/^@redux-remote\/([A-Z][A-Z0-9_]*)$/);
  return match && !/_(SUCCESS|ERROR)$/.test(type) ? match[1] : undefined;
}
