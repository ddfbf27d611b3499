import { z } from "zod";
import { distinct, knownName } from "../permissions/config-values.ts";
import { couldBeId } from "../service/could-be-id.ts";
import { cloudProviderSubTypes, mfaTypes } from "../service/resources.ts";

const text = z.string().min(1, "must not be empty");
const id = z.string().refine(couldBeId, "must be one word of at most 150 letters, digits and signs, without slashes");
const named = z.strictObject({ id, name: text });

/** One entry of each list. */
export const directoryItems = {
  users: named.extend({
    email: z.email("must be an e-mail address").optional(),
    mfaType: knownName("MFA type", ["none", ...mfaTypes]).optional(),
  }),
  projects: named,
  credentials: named.extend({
    project: id.optional(),
    cloudProviderSubTypeId: knownName("cloud provider sub-type", cloudProviderSubTypes).optional(),
  }),
  policies: named,
  plans: named.extend({ project: id.optional() }),
  selectors: named.extend({ plan: id }),
};

/** The lists of one file. Each may be read in pieces: an id that was in an earlier piece is reported. */
export function directoryLists() {
  const listOf = <S extends z.ZodType<{ id: string }>>(item: S) => distinct(item, ({ id }) => id, new Set());
  return {
    users: listOf(directoryItems.users),
    projects: listOf(directoryItems.projects),
    credentials: listOf(directoryItems.credentials),
    policies: listOf(directoryItems.policies),
    plans: listOf(directoryItems.plans),
    selectors: listOf(directoryItems.selectors),
  };
}

/** The `directory` section of curfew.yaml: entities by id and name, since the service's interface lists only actions. */
export const directorySchema = (lists: ReturnType<typeof directoryLists>) =>
  z.strictObject({
    users: lists.users.default([]),
    projects: lists.projects.default([]),
    credentials: lists.credentials.default([]),
    policies: lists.policies.default([]),
    plans: lists.plans.default([]),
    selectors: lists.selectors.default([]),
  });
export type DirectorySection = Readonly<z.output<ReturnType<typeof directorySchema>>>;
