import { z } from "zod";
import { distinct, knownName } from "../permissions/config-values.ts";
import { cloudProviderSubTypes, mfaTypes } from "../service/resources.ts";

const text = z.string().min(1, "must not be empty");
const named = z.strictObject({ id: text, name: text });
const listOf = <S extends z.ZodType<{ id: string }>>(item: S) => distinct(item, ({ id }) => id).default([]);

/** The `directory` section of curfew.yaml: entities by id and name, since the service's interface lists only actions. */
export const directorySchema = z.strictObject({
  users: listOf(
    named.extend({
      email: z.email("must be an e-mail address").optional(),
      mfaType: knownName("MFA type", ["none", ...mfaTypes]).optional(),
    }),
  ),
  projects: listOf(named),
  credentials: listOf(
    named.extend({
      project: text.optional(),
      cloudProviderSubTypeId: knownName("cloud provider sub-type", cloudProviderSubTypes).optional(),
    }),
  ),
  policies: listOf(named),
  plans: listOf(named.extend({ project: text.optional() })),
  selectors: listOf(named.extend({ plan: text })),
});
export type DirectorySection = Readonly<z.output<typeof directorySchema>>;
