import { z } from "zod";
import type { Problem } from "../../commands/answer.ts";

/** The key files (CURFEW_SECRETS_DIR), in one folder for each credential. A reason never holds any of their content. */
export interface SecretFiles {
  /** The JSON in the file of this plain name in the credential's folder. */
  read(
    credentialId: string,
    name: string,
  ): Promise<
    { readonly kind: "read"; readonly content: unknown } | { readonly kind: "unreadable"; readonly reason: string }
  >;
}

/** A request as it is sent, and its secrets, which must not appear anywhere else. */
export interface Resolved {
  readonly request: object;
  readonly secrets: readonly string[];
}

const text = z.string().min(1);

/**
 * The fields of each key object, and which of them are secret. Amazon's names follow API.md, "Observed", Google's follow
 * its own key file.
 */
const keys = {
  amazonIamAccessKey: {
    shape: z.object({ accessKeyId: text, secretAccessKey: text }),
    needs: "accessKeyId and secretAccessKey",
    secret: ["accessKeyId", "secretAccessKey"],
  },
  googleServiceAccountKey: {
    shape: z.looseObject({ client_email: text, private_key: text }),
    needs: "client_email and private_key, as in the file that Google gives",
    secret: ["private_key", "private_key_id"],
  },
} as const;

const placeholder = z.strictObject({ secretFile: z.string() });
const aboutCredential = z.object({ id: z.string() });

/** Replaces the names of key files in a request by their content. A recorded request only ever holds the names. Never throws. */
export async function resolveSecrets(request: object, files: SecretFiles): Promise<Resolved | Problem> {
  const resolved: Record<string, unknown> = { ...request };
  const secrets: string[] = [];
  for (const [field, { shape, needs, secret }] of Object.entries(keys)) {
    const named = placeholder.safeParse(resolved[field]);
    if (!named.success) continue;
    const name = named.data.secretFile;
    const file = await files.read(aboutCredential.safeParse(request).data?.id ?? "", name);
    if (file.kind === "unreadable") return problem(`The key file “${name}” cannot be used: ${file.reason}.`);
    const key = shape.safeParse(file.content);
    if (!key.success) return problem(`The key file “${name}” cannot be used: it needs ${needs}.`);
    resolved[field] = key.data;
    secrets.push(...secretsIn(key.data, secret));
  }
  return { request: resolved, secrets };
}

function secretsIn(key: object, names: readonly string[]): readonly string[] {
  const values = new Map<string, unknown>(Object.entries(key));
  return names.map((name) => values.get(name)).filter((value) => typeof value === "string");
}

function problem(why: string): Problem {
  return {
    field: "keyFile",
    problem: `${why} Nothing was changed. Ask the people who run Curfew: they look after the key files.`,
  };
}
