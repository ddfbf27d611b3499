import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

/** Where several instances say who of them reads the list of people, and leave it for each other. Readings are numbered. */
export interface SharedList {
  /** The last reading that was begun, and the last one that lies here. `others`: whether anybody else may want it. */
  look(): Promise<{ readonly begun: number; readonly done: number; readonly others: boolean }>;
  /** Begins the reading after this one; false when somebody else has. */
  begin(after: number): Promise<boolean>;
  put(reading: number, text: string): Promise<void>;
  take(reading: number): Promise<string | undefined>;
}

/** For a process with a database of its own. */
export function unsharedList(): SharedList {
  let begun = 0;
  return {
    look: async () => ({ begun, done: begun, others: false }),
    begin: async (after) => {
      begun = after + 1;
      return true;
    },
    put: async () => undefined,
    take: async () => undefined,
  };
}

const cipher = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;
const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "curfew-people-list", 32));

/**
 * Names and addresses of a whole company: neither a backup nor whoever reads the database sees them. Only who has the secret can write them,
 * and a text counts only as the reading that it was sealed for.
 */
export async function seal(value: unknown, secret: string, reading: number): Promise<string> {
  const iv = randomBytes(ivLength);
  const sealing = createCipheriv(cipher, keyOf(secret), iv).setAAD(Buffer.from(`${reading}`));
  const body = sealing.update(await promisify(gzip)(JSON.stringify(value)));
  return Buffer.concat([iv, body, sealing.final(), sealing.getAuthTag()]).toString("base64");
}

/** Throws for what was not sealed with this secret for this reading. */
export async function unseal(text: string, secret: string, reading: number): Promise<unknown> {
  const sealed = Buffer.from(text, "base64");
  const opening = createDecipheriv(cipher, keyOf(secret), sealed.subarray(0, ivLength), { authTagLength: tagLength });
  opening.setAAD(Buffer.from(`${reading}`)).setAuthTag(sealed.subarray(-tagLength));
  const body = opening.update(sealed.subarray(ivLength, -tagLength));
  return JSON.parse(String(await promisify(gunzip)(Buffer.concat([body, opening.final()]))));
}
