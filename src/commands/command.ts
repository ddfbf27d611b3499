import type { Actor } from "../permissions/actor.ts";
import type { OperationAnswer, OperationInput, OperationName, operations } from "../service/operations.ts";
import type { ResourceType } from "../service/resources.ts";
import type { ServiceResult } from "../service/service-result.ts";
import type { Answer, Description, Problem } from "./answer.ts";
import { type Field, type Fields, type Input, type InputOf, type KnownKind, text } from "./field.ts";
import type { Known, KnownBody } from "./known.ts";

/** The operations that alter the service, and those that only read it. */
export type ReadOperation = {
  [O in OperationName]: (typeof operations)[O]["effect"] extends "read" ? O : never;
}[OperationName];
export type ChangeOperation = Exclude<OperationName, ReadOperation>;

export interface ResourceGroup {
  readonly type: ResourceType;
  readonly project: string;
  readonly ids: readonly string[];
}

/** What the config says about exclusions and resources. */
export interface CommandSettings {
  readonly exclusions: { readonly defaultMs: number; readonly longestMs: number };
  readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
}

/** Who asks, from where, when, and what is known: all that a command may look at. */
export interface CommandContext {
  readonly actor: Actor;
  /** Null where there is no channel (Home tab, global shortcut). */
  readonly channelId: string | null;
  readonly now: number;
  readonly known: Known;
  readonly settings: CommandSettings;
}

/** The facts of a request that permissions may depend on. */
export interface Target {
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  /** From the exclusion's start to its end. */
  readonly exclusionLengthMs?: number | undefined;
}

export interface Occurrence<O extends ChangeOperation, K extends KnownKind> {
  readonly request: OperationInput<O>;
  /** The last remembered answer about the thing before the change; undefined when Curfew did not know it. */
  readonly before: KnownBody<K> | undefined;
  /** The service's answer; undefined before it came, and where there is none. */
  readonly after: OperationAnswer<O> | undefined;
}

/** A command that alters the service. All methods are pure but for reads of `context.known`. */
export interface ChangeDeclaration<F extends Fields, O extends ChangeOperation, K extends KnownKind> {
  readonly words: string;
  readonly aliases?: readonly string[];
  /** What its form and its button are called; 24 characters at most (platform.md §7.1). */
  readonly title: string;
  readonly summary: string;
  readonly operation: O;
  readonly fields: F;
  /** The kind of thing it is about. */
  readonly about: K;
  /** A complete line opens the form too, whose sending is the yes. */
  readonly confirms?: string;
  /** The thing's id, or null for one that does not exist yet. */
  subjectId(input: InputOf<F>): string | null;
  /** What follows from the rest of a still incomplete input; it never replaces what a person gave. */
  complete?(input: Partial<InputOf<F>>, context: CommandContext): Promise<Partial<InputOf<F>>>;
  /** What a form proposes for fields still empty, which a line must give. */
  propose?(input: Partial<InputOf<F>>, context: CommandContext): Promise<Partial<InputOf<F>>>;
  /** The operation's input, or why it cannot be made. */
  request(input: InputOf<F>, context: CommandContext, before: KnownBody<K> | undefined): OperationInput<O> | Problem;
  target(occurrence: Occurrence<O, K>, now: number): Target;
  describe(occurrence: Occurrence<O, K>): Description;
}

/** A command that shows something: read from the service (`operation`), or from what Curfew knows (null: open to every member). */
export interface QueryDeclaration<F extends Fields> {
  readonly words: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly operation: ReadOperation | null;
  readonly fields: F;
  answer(input: InputOf<F>, context: QueryContext): Promise<Answer | Problem>;
}

/** One line of `history`. */
export interface HistoryEntry {
  readonly id: string;
  readonly words: string;
  readonly description: Description;
  readonly actorName: string;
  readonly askedAt: number;
  readonly state: string;
  readonly reason: string | null;
  readonly transitions: readonly { readonly state: string; readonly at: number }[];
}

export interface HistoryFilter {
  readonly id?: string | undefined;
  readonly actorId?: string | undefined;
  readonly limit: number;
}

export interface CommandHelp {
  readonly words: string;
  readonly usage: string;
  readonly summary: string;
}

export interface QueryContext extends CommandContext {
  read<O extends ReadOperation>(operation: O, input: OperationInput<O>): Promise<ServiceResult<OperationAnswer<O>>>;
  history(filter: HistoryFilter): Promise<readonly HistoryEntry[]>;
  /** Whether the asker may call the operation here on this target. */
  may(operation: OperationName, target: Target & { readonly isOwn?: boolean }): boolean;
  /** Whether some target exists for which they may: decides what is offered. */
  mayOffer(operation: OperationName): boolean;
  readonly roles: readonly string[];
  /** Help for the commands the asker may use here. */
  readonly help: readonly CommandHelp[];
}

/** A change whose fields, operation and subject are no longer told apart: what travels through the pipeline. */
export interface ChangeCommand {
  readonly kind: "change";
  readonly words: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly operation: ChangeOperation;
  readonly fields: Fields;
  readonly about: KnownKind;
  readonly confirms?: string;
  subjectId(input: Input): string | null;
  complete?(input: Input, context: CommandContext): Promise<Input>;
  propose?(input: Input, context: CommandContext): Promise<Input>;
  request(input: Input, context: CommandContext, before: KnownBody<KnownKind> | undefined): object;
  target(occurrence: AnyOccurrence, now: number): Target;
  describe(occurrence: AnyOccurrence): Description;
}
export interface AnyOccurrence {
  readonly request: unknown;
  readonly before: KnownBody<KnownKind> | undefined;
  readonly after: unknown;
}
export interface QueryCommand extends Omit<QueryDeclaration<Fields>, "answer"> {
  readonly kind: "query";
  answer(input: Input, context: QueryContext): Promise<Answer | Problem>;
}
export type Command = ChangeCommand | QueryCommand;

/** Every change can carry the reason it was asked for. */
const reason = { reason: text({ label: "Reason", maxLength: 500, optional: true }) } as const;
type WithReason<F extends Fields> = F & typeof reason;

export function defineChange<const F extends Fields, O extends ChangeOperation, K extends KnownKind>(
  declaration: Omit<ChangeDeclaration<WithReason<F>, O, K>, "fields"> & { readonly fields: F },
): ChangeCommand {
  return { kind: "change", ...declaration, fields: { ...declaration.fields, ...reason } };
}

export function defineQuery<const F extends Fields>(declaration: QueryDeclaration<F>): QueryCommand {
  return { kind: "query", ...declaration };
}

/** The reason in an input, when one was given. */
export function reasonOf(input: Input): string | null {
  return typeof input.reason === "string" ? input.reason : null;
}

/** Fields that must be given and are not. */
export function missingFields(fields: Fields, input: Input): readonly string[] {
  return Object.entries<Field>(fields)
    .filter(([name, field]) => !field.optional && input[name] === undefined)
    .map(([name]) => name);
}
