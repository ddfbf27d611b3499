import { createHash } from "node:crypto";
import { z } from "zod";
import { type Program, programId } from "../permissions/actor.ts";
import { channelId, distinct, knownName } from "../permissions/config-values.ts";
import type { Loosening } from "../permissions/loosened-roles.ts";
import { knownZone } from "./channels-section.ts";

/** A pipeline that may ask by `POST /v1/lines`. */
export interface Caller {
  readonly name: string;
  /** The SHA-256 hashes of its tokens, in hex: two while it changes from one to the other. */
  readonly tokenSha256: readonly string[];
  readonly role: string;
  /** Where its requests count as made. */
  readonly channel: string;
  readonly zone?: string | undefined;
}

/** The example's token is public, so it is taken only from this machine. */
export const exampleTokenHash = "6e189d445ccc28b557e4bcc9f45119ca7dc4ef47e39ce9b8e648b11c000277d3";

/** Anybody would try these. */
const guessable = ["", "token", "secret", "password", "changeme", "test", "deploy", "curfew", "deploy-bot"];
const guessableHashes = new Set(guessable.map((text) => createHash("sha256").update(text).digest("hex")));

const tokenHash = z
  .string("must be the SHA-256 hash of a token")
  .regex(/^[0-9a-f]{64}$/, "must be the SHA-256 hash of a token: 64 digits 0-9 and a-f, never the token itself")
  .refine((hash) => !guessableHashes.has(hash), "is the hash of a token that anybody would guess: make a random one");

const tokenHashes = z
  .union(
    [
      tokenHash.transform((hash) => [hash]),
      distinct(tokenHash, (hash) => hash)
        .min(1, "must be one hash of a token")
        .max(2, "must be at most two hashes, while a token is changed"),
    ],
    {
      error: "must be one hash of a token, or two while it is changed",
    },
  )
  .readonly();

/** The `callers` section of curfew.yaml (PERMISSIONS.md, "callers"). Roles must be among `roleNames`. */
export const callersSchema = (roleNames: readonly string[]) =>
  distinct(
    z.strictObject({
      name: z
        .string()
        .regex(
          /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
          "must be a name such as deploy-bot: a-z, 0-9 and -, at most 40",
        ),
      tokenSha256: tokenHashes,
      role: knownName("role", roleNames),
      channel: channelId,
      zone: knownZone.optional(),
    }),
    ({ name }) => name,
  ).superRefine((callers, context) => {
    const taken = new Set<string>();
    for (const [index, { tokenSha256 }] of callers.entries()) {
      if (tokenSha256.some((hash) => taken.has(hash))) {
        const message = "another caller has the same token, so nobody could tell them apart";
        context.addIssue({ code: "custom", path: [index, "tokenSha256"], message });
      }
      for (const hash of tokenSha256) taken.add(hash);
    }
  });

export const callerId = ({ name }: Pick<Caller, "name">): string => programId("caller", name);

/** The callers as holders of their roles. */
export const callersAsPrograms = (callers: readonly Caller[]): readonly Program[] =>
  callers.map((caller) => ({ id: callerId(caller), role: caller.role }));

/** A new token may be somebody else's; another channel or zone may mean other rights and times. Roles are compared with the policy. */
export function loosenedCallers(next: readonly Caller[], old: readonly Caller[]): readonly Loosening[] {
  return next.flatMap((caller): readonly Loosening[] => {
    const former = old.find(({ name }) => name === caller.name);
    const path = `callers.${caller.name}`;
    if (!former) return [{ path, text: `The pipeline ${caller.name} can ask, as “${caller.role}”.` }];
    const hasNewToken = caller.tokenSha256.some((hash) => !former.tokenSha256.includes(hash));
    const isElsewhere = caller.channel !== former.channel || caller.zone !== former.zone;
    return [
      ...(hasNewToken ? [{ path: `${path}.tokenSha256`, text: `The pipeline ${caller.name} has another token.` }] : []),
      ...(isElsewhere ? [{ path, text: `The pipeline ${caller.name} asks in another channel or zone.` }] : []),
    ];
  });
}
