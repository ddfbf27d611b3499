import { readFile, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { parseJson } from "../service/read-answer.ts";

type SecretFile =
  | { readonly kind: "read"; readonly content: unknown }
  | { readonly kind: "unreadable"; readonly reason: string };

/** More than any key needs. */
const maxBytes = 65_536;

/**
 * The files of CURFEW_SECRETS_DIR, each in a folder named after the id of its credential, so that no other credential gets it. Only
 * plain names are accepted, and nothing outside that folder is read, not even through a link.
 */
export function createSecretFiles(folder: string | undefined) {
  return {
    /** Reads a file that an operator put there for this credential. */
    read: async (credentialId: string, name: string): Promise<SecretFile> => {
      if (folder === undefined) return unreadable("no folder of key files is set up (CURFEW_SECRETS_DIR)");
      if (!isPlainName(name)) return unreadable("only the plain name of a file may be given, such as key.json");
      if (!isPlainName(credentialId)) return unreadable("no key file can be for a credential of this id");
      try {
        return await readWithin(folder, credentialId, name);
      } catch {
        // The cause is left out: Node's message may show the file's path or content.
        return unreadable(
          `there is no such file for this credential, or it cannot be read: those who run Curfew put it into the folder ${credentialId} of the key files`,
        );
      }
    },
  };
}

const isPlainName = (name: string): boolean => /^(?!\.)[\w.@+-]{1,100}$/.test(name);

async function readWithin(folder: string, credentialId: string, name: string): Promise<SecretFile> {
  const all = await realpath(folder);
  const home = await realpath(join(all, credentialId));
  // Kubernetes mounts a folder as a link to one of the same name. A link to another credential's folder is refused.
  const isItsOwn = basename(home) === credentialId && home.startsWith(all.endsWith(sep) ? all : all + sep);
  if (!isItsOwn) return unreadable("the folder of this credential's key files is a link to another place");
  const file = await realpath(join(home, name));
  if (!file.startsWith(home + sep)) return unreadable("it leads out of the credential's folder of key files");
  const { size } = await stat(file);
  if (size > maxBytes) return unreadable("it is too large to be a key");
  // The message of JSON.parse would quote the text.
  const content = parseJson(await readFile(file, "utf8"));
  return content === undefined ? unreadable("it is not JSON") : { kind: "read", content };
}

function unreadable(reason: string): SecretFile {
  return { kind: "unreadable", reason };
}
