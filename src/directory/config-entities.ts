import type { z } from "zod";
import { directoryItems, type Settings } from "../config/settings.ts";
import { inAccountOf } from "../service/account-ids.ts";
import type { Entity, EntityKind, NewEntity } from "./directory.ts";
import { entities } from "./read-service.ts";

/** The lists of the config's `directory` section, and of files with entries. */
export const directoryLists = {
  users: listOf("user", directoryItems.users, {
    toBody: ({ id, name, email, mfaType }) => ({ userId: id, username: name, emailAddress: email, mfaType }),
    fromEntity: ({ email, body }) => ({ email, mfaType: body.mfaType }),
  }),
  projects: listOf("project", directoryItems.projects, {
    toBody: ({ id, name }) => ({ projectId: id, name }),
    fromEntity: () => ({}),
  }),
  credentials: listOf("credential", directoryItems.credentials, {
    toBody: ({ id, name, project, cloudProviderSubTypeId }) => ({
      ...{ credentialId: id, name, cloudProviderSubTypeId },
      projectId: project,
    }),
    fromEntity: ({ projectId, body }) => ({
      project: projectId,
      cloudProviderSubTypeId: body.cloudProviderSubTypeId,
    }),
  }),
  policies: listOf("policy", directoryItems.policies, {
    toBody: ({ id, name }) => ({ managedPolicyId: id, name }),
    fromEntity: () => ({}),
  }),
  plans: listOf("plan", directoryItems.plans, {
    toBody: ({ id, name, project }) => ({ planId: id, name, projectId: project }),
    fromEntity: ({ projectId }) => ({ project: projectId }),
  }),
  selectors: listOf("selector", directoryItems.selectors, {
    toBody: ({ id, name, plan }) => ({ selectorId: id, name, planId: plan }),
    fromEntity: ({ body }) => ({ plan: body.planId }),
  }),
  machines: listOf("machine", directoryItems.machines, {
    toBody: ({ id, ...machine }) => ({
      ...{ ...machine, projectId: machine.project },
      id: inAccountOf(machine.project, [id])[0],
    }),
    fromEntity: ({ body: { type, project, group, tags } }) => ({ type, project, group, tags }),
  }),
} as const;

export type DirectoryListName = keyof typeof directoryLists;
export const directoryListNames: readonly DirectoryListName[] = Object.keys(directoryLists).filter(isDirectoryListName);

export function isDirectoryListName(name: string): name is DirectoryListName {
  return Object.hasOwn(directoryLists, name);
}

/** The config's directory as entities, in the shape of the service's answers; made one by one, since there may be many. */
export function* directoryOf({ directory }: Pick<Settings, "directory">): Generator<NewEntity> {
  for (const name of directoryListNames)
    for (const item of name === "machines" ? [] : directory[name]) {
      const { entity } = directoryLists[name].read(item);
      if (entity) yield entity;
    }
}

/** An entry as a file has it. */
export type DirectoryItem = Readonly<Record<string, string | null | undefined>>;

type ItemSchema = z.ZodObject<{ readonly id: z.ZodString; readonly name: z.ZodString | z.ZodOptional<z.ZodString> }>;

interface Shapes<K extends EntityKind, S extends ItemSchema> {
  /** An item as the service's answers say it. */
  readonly toBody: (item: z.output<S>) => object;
  /** What an item says beside the id and the name. */
  readonly fromEntity: (entity: Entity<K>) => DirectoryItem;
}

function listOf<K extends EntityKind, S extends ItemSchema>(kind: K, schema: S, { toBody, fromEntity }: Shapes<K, S>) {
  return {
    kind,
    schema,
    fields: Object.keys(schema.shape),
    /** The entity that these values give, or what is wrong with them. */
    read: (values: unknown, error: z.core.$ZodErrorMap = () => undefined) => {
      const read = schema.safeParse(values, { error });
      return read.success ? { entity: entities(kind, toBody(read.data)), issues: [] } : { issues: read.error.issues };
    },
    /** The entities of this list as items. */
    itemsIn: async function* ({ entries }: EntriesOf): AsyncGenerator<DirectoryItem> {
      for await (const entity of entries(kind)) yield { id: entity.id, name: entity.name, ...fromEntity(entity) };
    },
  };
}

interface EntriesOf {
  readonly entries: <K extends EntityKind>(kind: K) => AsyncIterable<Entity<K>>;
}
