import type { Directory, EntityBody, EntityKind, PlacedDirectory } from "../directory/directory.ts";
import { type Actor, isProgram } from "../permissions/actor.ts";
import type { ServiceResult } from "../service/call-outcome.ts";
import type {
  ChangeOperation,
  OperationAnswer,
  OperationInput,
  OperationName,
  ReadOperation,
} from "../service/operations.ts";
import type { HistoryEntry, HistoryFilter, Person, Ruling, Seen, WaitingEntry } from "./about-changes/about-changes.ts";
import type { Answer, CommandButton, Description, Problem, Sentence } from "./answer.ts";
import type { SeenActions } from "./changed-elsewhere.ts";
import type { ConfigState } from "./config-state.ts";
import { type Fields, type Input, type InputOf, reason, ticket } from "./field.ts";
import type {
  Calendars,
  CommandHelp,
  CommandSettings,
  DecisionForOther,
  ExclusionOrigin,
  OwnWarnings,
  Plan,
  Rules,
  SavedGroups,
} from "./query-ports.ts";

/** Everything that a command may look at. */
export interface CommandContext {
  readonly actor: Actor;
  /** Null where there is no channel (Home tab, global shortcut). */
  readonly channelId: string | null;
  /** The thread in which it was asked for. */
  readonly askedIn?: Thread | undefined;
  readonly now: number;
  readonly directory: PlacedDirectory;
  readonly settings: CommandSettings;
  /** The receipt of the request, which the record of a change replaces. */
  readonly receiptId?: string | undefined;
  /** Called when a change has taken the receipt's place. */
  readonly onRecorded?: (() => void) | undefined;
  /** The same for every repeat of the same click, line or form; for what is recorded when it is done. */
  readonly idempotencyKey?: string | undefined;
  /** The step of a workflow that asks for it. */
  readonly executionId?: string | undefined;
  /** The project of the requester's latest exclusion within a day. */
  readonly lastProject?: (() => Promise<string | undefined>) | undefined;
  /** What a person is called in Slack; undefined when Slack does not say. */
  readonly nameOf?: ((slackUserId: string) => Promise<string | undefined>) | undefined;
  /** The e-mail address in a Slack profile; undefined when the profile shows none. */
  readonly emailOf?: ((slackUserId: string) => Promise<string | undefined>) | undefined;
  /** The calendars whose days off may be left out. */
  readonly calendars?: Calendars | undefined;
  /** The exclusions that are planned for later, the first to begin first. `alsoWaiting`: and those that wait for an approval. */
  readonly plans?: ((alsoWaiting?: boolean) => Promise<readonly Plan[]>) | undefined;
  /** The request that a person may approve or deny, in words; undefined for any other. */
  readonly requestOf?:
    | ((changeId: string, verdict: Ruling["verdict"]) => Promise<RequestInWords | undefined>)
    | undefined;
  /** The changes of an entity that were made, the latest first. */
  readonly changesAbout?: ((kind: EntityKind, id: string) => Promise<readonly EarlierChange[]>) | undefined;
  /** What a change would come to, of the hours that resources may be kept running in a week. */
  readonly hoursAhead?: ((command: ChangeCommand, input: Input) => Promise<HoursAhead>) | undefined;
}

/** "bob" wants to "disable dave". */
interface RequestInWords {
  readonly requester: string;
  readonly asked: string;
}

/** "This would be 12 of 40 h this week." `over`: only what goes beyond a limit. */
export interface HoursAhead {
  readonly lines: readonly string[];
  readonly over: readonly string[];
}

export interface Preview {
  readonly lines: readonly string[];
  /** The same on the card of a request, which others read; the lines without it. */
  readonly forOthers?: readonly string[] | undefined;
  /** Alternatives, offered in the form. */
  readonly buttons: readonly CommandButton[];
  /** What the answer says in place of the lines: one sentence, and what its reader must know beside it. */
  readonly answer?:
    | { readonly effect: Sentence; readonly lines: readonly string[]; readonly buttons?: readonly CommandButton[] }
    | undefined;
}

/** A command with its input: what takes a change back, or what a shortcut stands for. */
export interface Inverse {
  readonly words: string;
  readonly input: Input;
}

/** A question about the state before a change, and the command that takes the change back after each answer. */
export interface UndoQuestion {
  readonly text: string;
  readonly answers: readonly {
    readonly value: string;
    readonly label: string;
    readonly inverse: Inverse | undefined;
  }[];
}

/** The context with reads of the service and the requester's rights. */
export interface FillContext extends CommandContext {
  /** Whether the requester may call the operation here on this target. */
  may(operation: OperationName, target: Target & { readonly isOwn?: boolean }): boolean;
  read<O extends ReadOperation>(operation: O, input: OperationInput<O>): Promise<ServiceResult<OperationAnswer<O>>>;
  /** Whether a second person must approve it. */
  readonly needsApproval?: boolean | undefined;
  /** The e-mail address of Curfew's only admin; undefined where there are several, or it is not known. */
  readonly onlyAdmin?: (() => Promise<string | undefined>) | undefined;
}

export type PrepareContext = CommandContext & Pick<FillContext, "read">;
export type PlanContext = CommandContext & Pick<FillContext, "may">;

export interface QueryContext extends FillContext, SeenActions, Rules {
  /** The requester's own changes, and those of others that they may see here. */
  history(filter: HistoryFilter): Promise<readonly HistoryEntry[]>;
  /** Who ended these exclusions, and why they were made and ended; by their ids. */
  origins(exclusionIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionOrigin>>;
  /** Pending changes that the requester may approve, and their own, oldest first. */
  waiting(): Promise<readonly WaitingEntry[]>;
  /** Resource groups saved from Slack, beside those of the config file. */
  readonly savedGroups: SavedGroups;
  readonly ownWarnings: OwnWarnings;
  readonly roles: readonly string[];
  /** For admins. */
  readonly config: ConfigState | undefined;
  /** The rights of somebody else here; undefined when Slack does not know them. */
  decisionFor(slackUserId: string, operation: OperationName): Promise<DecisionForOther | undefined>;
  /** Help for the commands that the requester may use here. */
  readonly help: readonly CommandHelp[];
  /** The words of every command that makes changes and is named so, by its words, an alias or its operation. */
  commandsCalled(phrase: string): readonly string[];
  /** Everybody who ever asked for a change. */
  requesters(): Promise<readonly Person[]>;
  /** Somebody in Slack; undefined when Slack does not know them. */
  personIn(slackUserId: string): Promise<Actor | undefined>;
}

/** The types that the members of one change share. */
interface ChangeTypes {
  readonly fields: Fields;
  readonly operation: ChangeOperation;
  readonly about: EntityKind;
  readonly input: object;
  readonly partial: object;
  readonly request: object;
  readonly before: unknown;
  readonly occurrence: unknown;
}
interface TypesOf<F extends Fields, O extends ChangeOperation, K extends EntityKind> extends ChangeTypes {
  readonly fields: F;
  readonly operation: O;
  readonly about: K;
  readonly input: InputOf<WithReason<F>>;
  readonly partial: Partial<InputOf<WithReason<F>>>;
  readonly request: OperationInput<O>;
  readonly before: EntityBody<K>;
  readonly occurrence: Occurrence<O, K>;
}
interface AnyChange extends ChangeTypes {
  readonly input: Input;
  readonly partial: Input;
  readonly before: EntityBody<EntityKind>;
  readonly occurrence: AnyOccurrence;
}

/** A command that alters the service. Every function is pure but for reads of `context.directory` and of the service. */
interface ChangeMembers<T extends ChangeTypes> extends CommandBase<T["fields"]> {
  readonly operation: T["operation"];
  /** The kind of entity that it changes. */
  readonly about: T["about"];
  /** A complete line opens the form, whose sending is the yes. With `asksFirst` it is done, unless that asks with one button. */
  readonly confirms?: string;
  readonly asksFirst?: (input: T["input"], context: FillContext) => Promise<Problem | undefined>;
  /** What who may not use it may use instead, for most of it. */
  readonly alternative?: (input: T["partial"]) => CommandButton;
  /** What sending the form does, where the title does not say it; 24 characters at most. */
  readonly submit?: (input: T["partial"]) => string;
  /** Of the form, where what was pressed makes it another one. */
  readonly formTitle?: (input: T["partial"]) => string | undefined;
  /** The entity's id, or null for one that does not exist yet. */
  readonly subjectId: (input: T["input"]) => string | null;
  /** Values that follow from the rest of an incomplete input; it never replaces one that a person gave. */
  readonly complete?: (input: T["partial"], context: FillContext) => Promise<T["partial"]>;
  /** Proposals for empty fields of a form. A line must give these values itself. */
  readonly propose?: (input: T["partial"], context: FillContext) => Promise<T["partial"]>;
  /** The entity's present values: they fill the form of an edit, and a line leaves them as they are. */
  readonly fill?: (input: T["partial"], context: FillContext) => Promise<T["partial"] | Problem>;
  /** What Curfew makes of the values so far, by field: a few plain words below its input. */
  readonly notes?: (input: T["partial"], context: FillContext) => Promise<Readonly<Record<string, string>>>;
  /** The expected effect, in plain sentences beside the form and in the answer. It never stops a change. */
  readonly preview?: (input: T["partial"], context: FillContext) => Promise<Preview>;
  /** The input in the service's own terms, which may take a read of the service. */
  readonly prepare?: (input: T["input"], context: PrepareContext) => Promise<T["input"]>;
  /** Why a new request would change nothing worth having, and what to do instead. Asked only for what the requester may do. */
  readonly already?: (input: T["input"], context: FillContext) => Promise<Problem | undefined>;
  /** It is about somebody's users in all accounts of the service, so it needs no more than one of them. */
  readonly isForEveryAccount?: true;
  /** The id of the planned change that a new one takes the place of. */
  readonly replaces?: (input: T["input"]) => string | undefined;
  /** The operation's input, or why it cannot be made. */
  readonly request: (
    input: T["input"],
    context: CommandContext,
    before: T["before"] | undefined,
  ) => T["request"] | Problem;
  /** Where it acts. An edit may have several targets, before and after: all must be allowed. */
  readonly target: (
    occurrence: T["occurrence"],
    now: number,
    directory: Pick<Directory, "get">,
  ) => Targets | Promise<Targets>;
  /** The resources that it names by their ids; undefined where it names none. */
  readonly resources?: (occurrence: T["occurrence"]) => NamedResources | undefined;
  /** The operation that would create the result anew, where the result is more than before: its approval rules apply too. */
  readonly makes?: (occurrence: T["occurrence"]) => ChangeOperation | undefined;
  readonly describe: (occurrence: T["occurrence"]) => Description;
  /** Whether the account is as it was when last known, so that its owner is not notified. */
  readonly altersNothing?: (occurrence: T["occurrence"]) => boolean;
  /** The command that takes the change back; undefined where this one cannot be undone. */
  readonly undo?: (occurrence: T["occurrence"]) => Inverse | undefined;
  /** What Curfew does not know of the state before, and who undoes the change must say; undefined where it knows, or nothing helps. */
  readonly undoAsks?: (occurrence: T["occurrence"]) => UndoQuestion | undefined;
  /** It sends nothing itself: it runs other changes, one after the other. Its operation is that of its first step. */
  readonly series?: Series<T["input"], PlanContext>;
}

interface ChangeDeclaration<F extends Fields, O extends ChangeOperation, K extends EntityKind>
  extends ChangeMembers<TypesOf<F, O, K>> {}

/** A change with the types of its fields erased, as the pipeline uses it. */
export interface ChangeCommand extends ChangeMembers<AnyChange> {
  readonly kind: "change";
  /** Why it cannot be done with any input; shown only to those who may do it. */
  readonly obstacle?: Problem;
}

type QueryTypes = Pick<ChangeTypes, "fields" | "input" | "partial">;

/** A command that shows something: read from the service (`operation`), or from what Curfew knows (null: open to every member). */
interface QueryMembers<T extends QueryTypes> extends CommandBase<T["fields"]> {
  readonly operation: ReadOperation | null;
  /** Offered to those who may call this operation on something here; the command itself checks the right for its target. */
  readonly offeredFor?: OperationName;
  /** Only for those who may call one of these operations on something here. */
  readonly onlyWithOneOf?: readonly OperationName[];
  /** Only for those who hold a role that allows every operation. */
  readonly isForAdmins?: true;
  /** Gets a button on the Home tab even if no field is required. */
  readonly isOnHome?: true;
  /** As for a change. */
  readonly complete?: (input: T["partial"], context: FillContext) => Promise<T["partial"]>;
  readonly answer: (input: T["input"], context: QueryContext) => Promise<Answer | Problem>;
  /** The description of a query that alters Curfew's own data, such as a resource group. */
  readonly describe?: (occurrence: AnyOccurrence) => Description;
}

interface QueryDeclaration<F extends Fields>
  extends QueryMembers<{ readonly fields: F; readonly input: InputOf<F>; readonly partial: Partial<InputOf<F>> }> {}

/** A query with the types of its fields erased. */
export interface QueryCommand
  extends QueryMembers<{ readonly fields: Fields; readonly input: Input; readonly partial: Input }> {
  readonly kind: "query";
}

/** Takes an earlier change back. */
export interface UndoCommand extends CommandOnChange {
  readonly kind: "undo";
  /** The id of that change; undefined for the requester's latest, which `latest` shows first. */
  readonly changeId: (input: Input) => string | undefined;
  readonly latest: QueryCommand;
}

/** Another way to ask for a change: what was said decides the change's input. */
export interface ShortcutCommand extends CommandBase<Fields> {
  readonly kind: "shortcut";
  /** The operation of that change. */
  readonly operation: ChangeOperation;
  readonly confirms?: undefined;
  /** `also`: what is done after it, if that was done or planned. */
  readonly leadsTo: (input: Input, context: FillContext) => Promise<(Inverse & { readonly also?: Inverse }) | Problem>;
}

export type Command = ChangeCommand | QueryCommand | UndoCommand | DecisionCommand | OutcomeCommand | ShortcutCommand;

type WithReason<F extends Fields> = "reason" extends keyof F ? F : F & { readonly reason: typeof reason };

export function defineChange<const F extends Fields, O extends ChangeOperation, K extends EntityKind>(
  declaration: ChangeDeclaration<F, O, K>,
): ChangeCommand & { readonly operation: O } {
  return untyped({ kind: "change", ...declaration, fields: withReason(declaration.fields) });
}

/** A command may place its reason elsewhere in its form. */
const withReason = (fields: Fields): Fields => ({ ...fields, ...("reason" in fields ? {} : { reason }), ticket });

export const defineQuery = <const F extends Fields>(declaration: QueryDeclaration<F>): QueryCommand =>
  untyped({ kind: "query", ...declaration });

/**
 * The one place where a command loses the types of its own fields. That is safe: its functions are only called with an input that
 * these fields read (`inputSchema`), and with an occurrence of the request that it made from such an input.
 */
function untyped<C extends ChangeCommand | QueryCommand>(
  command: CommandBase<Fields> & { readonly kind: C["kind"] },
): C {
  return command as C;
}

/**
 * Another way to say a command. `<field>` stands for the words of a field: "rename <project> to <name>". `sets`: the values that
 * follow from saying it so.
 */
type Alias = string | { readonly phrase: string; readonly sets: Input };

/** A thread in a channel. */
export interface Thread {
  readonly channelId: string;
  /** Of the message that it is under. */
  readonly ts: string;
}

interface CommandBase<F extends Fields> {
  readonly words: string;
  readonly aliases?: readonly Alias[];
  /** How help shows it, in place of its words or a shorter alias: "keep <resourceIds> up". */
  readonly shownAs?: string;
  /** Names its form and its button; 24 characters at most (PLATFORM.md §7.1). */
  readonly title: string;
  readonly summary: string;
  readonly fields: F;
  /** How it is a step of a workflow; undefined where it is none. */
  readonly step?: WorkflowStep;
}

/** A command as a step of a workflow, which the config allows by its name. */
export interface WorkflowStep {
  readonly name: string;
  readonly title: string;
  /** The fields that it asks for; a change also takes a reason and a ticket. */
  readonly inputs: readonly string[];
  /** The values that follow from the step. */
  readonly sets?: Input;
}

/** A command about an earlier change, which decides what the command does. */
interface CommandOnChange extends CommandBase<Fields> {
  readonly operation: null;
  readonly confirms?: string;
}

/** Decides on a change that waits for an approval. */
export interface DecisionCommand extends CommandOnChange {
  readonly kind: "decision";
  /** The id of that change; undefined where it is named otherwise, or not. */
  readonly changeId: (input: Input) => string | undefined;
  /** Withdrawing is for requesters, the rest for approvers. */
  readonly verdict: Ruling["verdict"];
  readonly ruling: (input: Input) => Ruling;
}

/** Settles a change whose outcome is unknown. */
export interface OutcomeCommand extends CommandOnChange {
  readonly kind: "outcome";
  /** The id of that change. */
  readonly changeId: (input: Input) => string;
  /** What somebody saw in the service; undefined for Curfew to find out. */
  readonly seen: (input: Input) => Seen | undefined;
  /** It runs what is left of a series instead. */
  readonly isRetry?: true;
}

/** One of the changes that a series is made of: a command with its input. */
export interface Step {
  readonly words: string;
  readonly input: Input;
  /** It in words: "disable bob". */
  readonly asked: string;
  /** The whole of which it is a part, by which its requester's rights are judged. */
  readonly judgedAs?: Input | undefined;
  /** What is sent for it, where the whole was decided on and it is only a part. */
  readonly request?: object | undefined;
}

/** What a series will do. */
export interface SeriesPlan {
  readonly steps: readonly Step[];
  /** What its reader must know beside the steps, in sentences. */
  readonly notes: readonly string[];
  /** The same, as long as it is not over. */
  readonly ahead: readonly string[];
  /** When its steps are made, in words, where each is made at another time. */
  readonly times?: string | undefined;
}

/** How a change is made of others, each of which is a change by itself. */
interface Series<I, C> {
  /** The operations that it always needs the right for; each step needs its own as well. */
  readonly operations: readonly ChangeOperation[];
  readonly plan: (input: I, context: C) => Promise<SeriesPlan | Problem>;
  /** Each step is made at its own time; else they are made one after the other. */
  readonly isTimed?: true;
  /** The steps that follow from what the service answered to one. */
  readonly further: (step: Pick<Step, "words" | "input">, answer: unknown) => readonly Step[];
  /** What its undo leaves as it is, in a sentence. */
  readonly staysUndone: string;
}

/** A change that was made: the Slack user who asked for it, and the service's answer. */
interface EarlierChange {
  readonly actorId: string;
  readonly answer: unknown;
  /** When it was made, in epoch ms. */
  readonly at: number;
}

/** Whether a complete line only opens the form. A program has to say that it is sure. */
export const mustConfirm = (command: Command, userId: string): boolean =>
  command.kind === "change" && command.confirms !== undefined && (command.asksFirst === undefined || isProgram(userId));

/** A requested change, with what is known of it so far. */
interface OccurrenceOf<Request, Before, After> {
  /** When it was asked for, in epoch ms; undefined before it is recorded. */
  readonly at?: number;
  /** When it is to begin, in epoch ms; undefined for one that begins when it is made. */
  readonly startsAt?: number | undefined;
  readonly request: Request;
  /** The last remembered answer about the entity before the change; undefined when Curfew did not know it. */
  readonly before: Before | undefined;
  /** The service's answer; undefined before it came, and where there is none. */
  readonly after: After | undefined;
}
export type Occurrence<O extends ChangeOperation, K extends EntityKind> = OccurrenceOf<
  OperationInput<O>,
  EntityBody<K>,
  OperationAnswer<O>
>;
export type AnyOccurrence = OccurrenceOf<unknown, EntityBody<EntityKind>, unknown>;

/** When an input says that the change is to begin, in epoch ms. */
export const plannedStart = ({ from }: Input): number | undefined => (typeof from === "number" ? from : undefined);

/** The facts of a request that permissions may depend on. */
export interface Target {
  /** The account of the service; where it is not given, that of the project. */
  readonly account?: string | undefined;
  readonly projectId?: string | undefined;
  readonly resourceType?: string | undefined;
  /** The machines that it names by their ids; none where it names them otherwise. */
  readonly resourceIds?: readonly string[] | undefined;
  /** From the exclusion's start to its end. */
  readonly exclusionLengthMs?: number | undefined;
}

type Targets = Target | readonly Target[];

/** The resources that a change names. */
export interface NamedResources {
  /** Resources that it claims are of this type and in its target's project. The directory must not contradict that. */
  readonly claimed: readonly string[];
  readonly resourceType: string | undefined;
  /** Resources that it named before the change. They are touched as well, so the right for them is needed. */
  readonly before: readonly string[];
}
