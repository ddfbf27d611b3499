import { isJsonObject, type JsonObject, objectsIn, plainText, stringAt } from "../json-object.ts";
import { channelName } from "../state/channels.ts";
import { messagePayload } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import { viewPayload } from "../state/views.ts";
import { validateOptionsAnswer } from "../validate/validate-answer.ts";
import { containerOf, type Surface } from "./block-actions.ts";
import { type Exchange, payloadBase, sendInteraction, showNotice } from "./exchange.ts";

export interface ShownOption {
  readonly text: string;
  readonly value: string;
  /** As the app sent it. */
  readonly option: JsonObject;
}

export interface OptionsRequest {
  readonly surface: Surface;
  readonly blockId: string;
  readonly element: JsonObject;
  readonly query: string;
}

const defaultMinQueryLength = 3;

/** Loads the options of an external select from the app (PLATFORM.md §6.6). A bad answer gives no options and a notice with the reason. */
export async function loadOptions(
  exchange: Exchange,
  user: User,
  request: OptionsRequest,
): Promise<readonly ShownOption[]> {
  const { element, query } = request;
  const minLength = typeof element.min_query_length === "number" ? element.min_query_length : defaultMinQueryLength;
  if (query.length < minLength) return [];
  const { workspace } = exchange;
  const error = workspace.manifest.loadsOptions ? undefined : "no options load URL in the manifest";
  const answer =
    error === undefined
      ? await sendInteraction(exchange, "options", optionsPayload(exchange, user, request))
      : undefined;
  const body = answer?.kind === "acknowledged" && answer.body.kind === "json" ? answer.body.value : undefined;
  const failure = error ?? (answer?.kind === "failed" ? answer.error : undefined);
  const problems = failure === undefined ? validateOptionsAnswer(body) : [failure];
  if (problems.length > 0 || !isJsonObject(body)) {
    showNotice(workspace, user.id, null, `The options could not be loaded: ${problems.join("; ")}`);
    return [];
  }
  return shownOptions(body);
}

/** The options of an element or an answer, including those in groups. */
export function shownOptions(source: JsonObject): readonly ShownOption[] {
  const grouped = objectsIn(source.option_groups).flatMap((group) => objectsIn(group.options));
  return [...objectsIn(source.options), ...grouped].map((option) => ({
    text: plainText(option.text),
    value: stringAt(option.value) ?? "",
    option,
  }));
}

function optionsPayload(
  exchange: Exchange,
  user: User,
  { surface, blockId, element, query }: OptionsRequest,
): JsonObject {
  return {
    type: "block_suggestion",
    ...payloadBase(exchange, user),
    container: containerOf(surface, blockId),
    action_id: element.action_id,
    block_id: blockId,
    value: query,
    ...surfaceParts(exchange, surface),
  };
}

function surfaceParts({ workspace }: Exchange, surface: Surface): JsonObject {
  if (surface.kind === "view") return { view: viewPayload(surface.view, workspace.app) };
  const channel = workspace.channels.named(surface.message.channelId);
  return {
    channel: { id: channel.id, name: channelName(channel) },
    message: messagePayload(surface.message, workspace),
  };
}
