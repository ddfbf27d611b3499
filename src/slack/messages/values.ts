/** JSON for the value of a button or option, or the id of a block. Slack has nothing in it to escape. */
export const asValue = (json: object): string =>
  JSON.stringify(json).replace(/[&<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

/** A value of ours as it was given to Slack, which may give it back escaped (PLATFORM.md §6.3). */
export const unescaped = (value: string): string =>
  value.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
