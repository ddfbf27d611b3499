import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

type SecretFile =
  | { readonly kind: "read"; readonly content: unknown }
  | { readonly kind: "unreadable"; readonly reason: string };

export interface SecretFiles {
  read(name: string): Promise<SecretFile>;
}

/** More than any key takes. */
const largestBytes = 65_536;

/** The files of CURFEW_SECRETS_DIR. Only plain names are taken, and nothing outside the folder is reached, by a link either. */
export function createSecretFiles(folder: string | undefined): SecretFiles {
  return {
    read: async (name) => {
      if (folder === undefined) return unreadable("no folder of key files is set up (CURFEW_SECRETS_DIR)");
      if (!isPlainName(name)) return unreadable("only the plain name of a file may be given, such as key.json");
      try {
        return await readWithin(folder, name);
      } catch {
        // The cause is left out: what Node says of a file may tell where it lies or what is in it.
        return unreadable("there is no such file in the folder of key files, or it cannot be read");
      }
    },
  };
}

const isPlainName = (name: string): boolean => /^(?!\.)[\w.@+-]{1,100}$/.test(name);

async function readWithin(folder: string, name: string): Promise<SecretFile> {
  const [home, file] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
  if (!file.startsWith(home.endsWith(sep) ? home : home + sep))
    return unreadable("it leads out of the folder of key files");
  const { size } = await stat(file);
  if (size > largestBytes) return unreadable("it is too large to be a key");
  const content = parseJson(await readFile(file, "utf8"));
  return content === undefined ? unreadable("it is not JSON") : { kind: "read", content };
}

/** What JSON.parse says of a fault quotes the text, so it is not passed on. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(reason: string): SecretFile {
  return { kind: "unreadable", reason };
}
