import type { Directory, EntityBody, PlacedDirectory } from "../directory/directory.ts";
import type { Actor } from "../permissions/actor.ts";
import type { Decision } from "../permissions/decide.ts";
import type { OperationAnswer, OperationInput, OperationName, operations } from "../service/operations.ts";
import type { ResourceType } from "../service/resources.ts";
import type { ServiceResult } from "../service/settle.ts";
import type { RecordDeadline } from "../time/record-deadline.ts";
import type { DecisionCommand, HistoryEntry, HistoryFilter, WaitingEntry } from "./about-changes.ts";
import type { Answer, CommandButton, Description, Problem } from "./answer.ts";
import { type EntityKind, type Fields, type Input, type InputOf, presentFields, text } from "./field.ts";

/** The operations that alter the service, and those that only read it. */
export type ReadOperation = {
  [O in OperationName]: (typeof operations)[O]["effect"] extends "read" ? O : never;
}[OperationName];
export type ChangeOperation = Exclude<OperationName, ReadOperation>;

export interface ResourceGroup {
  readonly type: ResourceType;
  readonly project: string;
  readonly ids: readonly string[];
  /** From Slack: only those of the config file are answered for by whoever runs Curfew. */
  readonly isSaved?: true;
}

/** One as it was saved, as far as this version can read it: it may not know the type, and ids that cannot be read are none. */
export interface KeptGroup extends Omit<ResourceGroup, "type"> {
  readonly type: string;
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
  readonly directory: PlacedDirectory;
  readonly settings: CommandSettings;
  /** Until when what it changes must be recorded; without one, whenever that may be. */
  readonly deadline?: RecordDeadline | undefined;
}

/** The facts of a request that permissions may depend on. */
export interface Target {
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  /** From the exclusion's start to its end. */
  readonly exclusionLengthMs?: number | undefined;
}

export type Targets = Target | readonly Target[];

/** The resources that a change is about. */
export interface NamedResources {
  /** Those that it says to be of this type, in the project of its target: what is known of them must not say otherwise. */
  readonly claimed: readonly string[];
  readonly resourceType: string | undefined;
  /** Those that it was about before: they are touched as well, so the right for them is needed. */
  readonly before: readonly string[];
}

export interface Occurrence<O extends ChangeOperation, K extends EntityKind> {
  /** When it was asked for, in epoch ms; undefined for one that has not been recorded. */
  readonly at?: number;
  readonly request: OperationInput<O>;
  /** The last remembered answer about the thing before the change; undefined when Curfew did not know it. */
  readonly before: EntityBody<K> | undefined;
  /** The service's answer; undefined before it came, and where there is none. */
  readonly after: OperationAnswer<O> | undefined;
}

/** A command that alters the service. All methods are pure but for reads of `context.known`. */
export interface ChangeDeclaration<F extends Fields, O extends ChangeOperation, K extends EntityKind> {
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
  /** What a form shows for fields still empty, which a line must give, and for values that only a line can give. */
  propose?(input: Partial<InputOf<F>>, context: FillContext): Promise<Partial<InputOf<F>>>;
  /** What the thing is like now: fills its form, and what a line that edits something leaves as it is. */
  fill?(input: Partial<InputOf<F>>, context: FillContext): Promise<Partial<InputOf<F>> | Problem>;
  /** What would come of it, in plain sentences beside the form and in the answer. Never an obstacle: it may say nothing. */
  preview?(input: Partial<InputOf<F>>, context: FillContext): Promise<Preview>;
  /** The input in the service's own terms, which may take a look at the service. */
  prepare?(input: InputOf<F>, context: PrepareContext): Promise<InputOf<F>>;
  /** The operation's input, or why it cannot be made. */
  request(input: InputOf<F>, context: CommandContext, before: EntityBody<K> | undefined): OperationInput<O> | Problem;
  /** What it is about; several where it turns one thing into another, all of which must be allowed. */
  target(occurrence: Occurrence<O, K>, now: number, directory: Pick<Directory, "get">): Targets | Promise<Targets>;
  /** The resources that it names by their ids; undefined where it names none. */
  resources?(occurrence: Occurrence<O, K>): NamedResources | undefined;
  /** The operation that would make directly what this one turns a thing into, where that is more than it was: its approval rules count too. */
  makes?(occurrence: Occurrence<O, K>): ChangeOperation | undefined;
  describe(occurrence: Occurrence<O, K>): Description;
  /** The e-mail address, as it was before, of the person whose own account it altered, who is to hear of it; undefined where there is none. */
  accountOwner?(occurrence: Occurrence<O, K>): string | undefined;
  /** The command that takes the change back; undefined where this one cannot be. */
  undo?(occurrence: Occurrence<O, K>): Inverse | undefined;
}

export interface Preview {
  readonly lines: readonly string[];
  /** Better ways, offered in the form. */
  readonly buttons: readonly CommandButton[];
}

export interface Inverse {
  readonly words: string;
  readonly input: Input;
}

/** A command that shows something: read from the service (`operation`), or from what Curfew knows (null: open to every member). */
export interface QueryDeclaration<F extends Fields> {
  readonly words: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly operation: ReadOperation | null;
  /** Offered to those who may call this operation on something here; the command itself asks whether on this. */
  readonly offeredFor?: OperationName;
  /** Only for those who hold a role that allows every operation. */
  readonly isForAdmins?: true;
  readonly fields: F;
  /** As for a change. */
  complete?(input: Partial<InputOf<F>>, context: CommandContext): Promise<Partial<InputOf<F>>>;
  answer(input: InputOf<F>, context: QueryContext): Promise<Answer | Problem>;
  /** What it did, of one that keeps something of Curfew's own. */
  describe?(occurrence: AnyOccurrence): Description;
}

/** Takes an earlier change back: what it does depends on that change. */
export interface UndoCommand {
  readonly kind: "undo";
  readonly words: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly operation: null;
  readonly fields: Fields;
  readonly confirms?: string;
  /** The id of the change to take back. */
  changeId(input: Input): string;
}

export interface CommandHelp {
  readonly words: string;
  readonly usage: string;
  /** A line that says no more than it needs. */
  readonly example: string;
  readonly summary: string;
}

/** What may be read of the service, and what the requester may do. */
export interface FillContext extends CommandContext {
  /** Whether the requester may call the operation here on this target. */
  may(operation: OperationName, target: Target & { readonly isOwn?: boolean }): boolean;
  read<O extends ReadOperation>(operation: O, input: OperationInput<O>): Promise<ServiceResult<OperationAnswer<O>>>;
}

export type PrepareContext = CommandContext & Pick<FillContext, "read">;

export interface SavedGroups {
  find(name: string): Promise<KeptGroup | undefined>;
  /** Whether the config file has one of this name, also one that the requester may not see. */
  isOfConfig(name: string): boolean;
  save(name: string, group: ResourceGroup): Promise<GroupChanged>;
  remove(name: string): Promise<GroupChanged>;
}

export interface GroupChanged {
  /** What the name stood for until now. */
  readonly former: KeptGroup | undefined;
  /** Of the history; undefined when nothing was changed, since all was so already. */
  readonly changeId: string | undefined;
}

export interface DecisionForOther {
  readonly actor: Actor;
  readonly roles: readonly string[];
  /** With nothing known of what it would be done to. */
  readonly decision: Decision;
  /** What their roles ask for before they allow it, in words. */
  readonly limits: readonly string[];
  /** Whether some target exists for which they may. */
  readonly isOffered: boolean;
  /** The roles whose approval it takes; undefined where it takes none. */
  readonly approval: { readonly approvers: readonly string[]; readonly rule: string } | undefined;
}

export interface QueryContext extends FillContext {
  /** One's own changes, and those of others that one may know of here. */
  history(filter: HistoryFilter): Promise<readonly HistoryEntry[]>;
  /** What the requester may approve, and what waits of their own, oldest first. */
  waiting(): Promise<readonly WaitingEntry[]>;
  /** Resource groups saved from Slack, beside those of the config file. */
  readonly savedGroups: SavedGroups;
  readonly roles: readonly string[];
  /** What somebody else in Slack may do here; undefined when Slack cannot say who they are. */
  decisionFor(slackUserId: string, operation: OperationName): Promise<DecisionForOther | undefined>;
  /** Help for the commands the requester may use here. */
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
  readonly about: EntityKind;
  readonly confirms?: string;
  /** Why it cannot be done, whatever the input: told only to those who may do it. */
  readonly obstacle?: Problem;
  subjectId(input: Input): string | null;
  complete?(input: Input, context: CommandContext): Promise<Input>;
  propose?(input: Input, context: FillContext): Promise<Input>;
  fill?(input: Input, context: FillContext): Promise<Input | Problem>;
  preview?(input: Input, context: FillContext): Promise<Preview>;
  prepare?(input: Input, context: PrepareContext): Promise<Input>;
  request(input: Input, context: CommandContext, before: EntityBody<EntityKind> | undefined): object;
  target(occurrence: AnyOccurrence, now: number, directory: Pick<Directory, "get">): Targets | Promise<Targets>;
  resources?(occurrence: AnyOccurrence): NamedResources | undefined;
  makes?(occurrence: AnyOccurrence): ChangeOperation | undefined;
  describe(occurrence: AnyOccurrence): Description;
  accountOwner?(occurrence: AnyOccurrence): string | undefined;
  undo?(occurrence: AnyOccurrence): Inverse | undefined;
}
export interface AnyOccurrence {
  readonly at?: number;
  readonly request: unknown;
  readonly before: EntityBody<EntityKind> | undefined;
  readonly after: unknown;
}
export interface QueryCommand extends Omit<QueryDeclaration<Fields>, "answer" | "complete"> {
  readonly kind: "query";
  complete?(input: Input, context: CommandContext): Promise<Input>;
  answer(input: Input, context: QueryContext): Promise<Answer | Problem>;
}
export type Command = ChangeCommand | QueryCommand | UndoCommand | DecisionCommand;

/** Every change can carry the reason it was asked for. */
const reason = { reason: text({ label: "Reason", maxLength: 500, optional: true }) } as const;
type WithReason<F extends Fields> = F & typeof reason;

export function defineChange<const F extends Fields, O extends ChangeOperation, K extends EntityKind>(
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
  return presentFields(fields, input)
    .filter(([name, field]) => !field.optional && input[name] === undefined)
    .map(([name]) => name);
}
