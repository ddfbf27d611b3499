/** `@`: verbatim, full-width, or encoded for a URL, HTML or JSON. */
const at = String.raw`(?:[@\uff20\ufe6b]|%(?:25)*40|&#0*64;|&#x0*40;|&commat;|\\+u0040)`;
/** Any characters except those around an address in JSON, a URL or a sentence; or quoted words. */
const localPart = String.raw`(?:[^\s"\\,:;<>()[\]{}@\uff20\ufe6b/=&?]{1,64}|"[^"\n]{1,64}")`;
/** Contains a letter in its last part, unlike a package version (`name@1.2.3`). */
const domain = String.raw`(?:\[[\da-fA-F.:v]{2,45}\]|(?:[\p{L}\p{N}\p{M}_-]{1,63}\.){0,10}[\p{L}\p{N}\p{M}_-]{0,62}\p{L}[\p{L}\p{N}\p{M}_-]{0,62})`;

const anyAt = new RegExp(at, "iu");
const address = new RegExp(localPart + at + domain, "giu");

/** Hides everything that looks like an e-mail address. */
export function hideEmails(text: string, by: string): string {
  // Most lines hold none, and the full pattern is expensive.
  return anyAt.test(text) ? text.replace(address, by) : text;
}
