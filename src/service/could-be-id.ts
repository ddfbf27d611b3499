const longestId = 150;

/** Whether a text could be an id of the service. Ids are opaque, but each is one word of plain signs, and never a path. */
export function couldBeId(text: string): boolean {
  return text.length <= longestId && /^[\x21-\x7e]+$/.test(text) && !/[<>/\\]|^\.\.?$/.test(text);
}
