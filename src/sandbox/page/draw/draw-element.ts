import { wallClockAt } from "../../../time/wall-clock.ts";
import { shownOptions } from "../../workspace/interactions/load-options.ts";
import {
  isJsonObject,
  type JsonObject,
  objectAt,
  objectsIn,
  plainText,
  stringAt,
  stringsIn,
} from "../../workspace/json-object.ts";
import { drawEmoji } from "../../workspace/render/emoji.ts";
import type {
  DrawnConfirm,
  DrawnElement,
  DrawnImage,
  DrawnMoment,
  DrawnOption,
  DrawnSelect,
  DrawnTextInput,
} from "../wire.ts";
import type { DrawContext } from "./draw-context.ts";
import { drawText } from "./draw-mrkdwn.ts";

/** Draws an element with its value (PLATFORM.md §7.6, §8.4). */
export function drawElement(element: JsonObject, block: JsonObject, context: DrawContext): DrawnElement {
  const actionId = stringAt(element.action_id) ?? "";
  const blockId = stringAt(block.block_id) ?? "";
  const held = objectAt(context.state[blockId]?.[actionId]);
  const confirm = isJsonObject(element.confirm) ? { confirm: drawConfirm(element.confirm) } : {};
  const base = {
    blockId,
    actionId,
    ...confirm,
    ...(element.focus_on_load === true ? { hasFocus: true as const } : {}),
  };
  const type = stringAt(element.type) ?? "";
  switch (type) {
    case "button":
      return { ...base, ...buttonParts(element, context) };
    case "overflow":
      return {
        ...base,
        kind: "overflow",
        options: objectsIn(element.options).map((each) => drawOption(each, context)),
      };
    case "image":
      return drawImage(element);
    case "checkboxes":
      return { ...base, kind: "checkboxes", options: ticks(element, context), chosen: valuesOf(held.selected_options) };
    case "radio_buttons":
      return { ...base, kind: "radios", options: ticks(element, context), chosen: valuesOf([held.selected_option]) };
    case "datepicker":
    case "timepicker":
    case "datetimepicker":
      return { ...base, ...momentParts(element, held, context) };
    default:
      if (type.endsWith("_select")) return { ...base, ...selectParts(type, element, held, context) };
      return inputTypes.has(type) ? { ...base, ...textParts(type, element, held) } : { kind: "unknown", type };
  }
}

export function drawImage({ alt_text, title, image_url }: JsonObject): DrawnImage {
  const url = stringAt(image_url);
  const link = url !== undefined && /^https?:\/\//i.test(url) ? { url } : {};
  return { kind: "image", alt: stringAt(alt_text) ?? "", title: plainText(title), ...link };
}

/** Draws an option of a menu or a search. */
export function drawOption(option: JsonObject, { viewer }: Pick<DrawContext, "viewer">): DrawnOption {
  const url = stringAt(option.url);
  return {
    value: stringAt(option.value) ?? "",
    text: drawEmoji(plainText(option.text)),
    ...(option.description === undefined ? {} : { description: drawText(option.description, viewer) }),
    ...(url !== undefined && /^https?:\/\//i.test(url) ? { url } : {}),
  };
}

function ticks({ options }: JsonObject, context: DrawContext): readonly DrawnOption[] {
  return objectsIn(options).map((each) => ({
    ...drawOption(each, context),
    rich: drawText(each.text, context.viewer),
  }));
}

function drawConfirm({ title, text, confirm, deny, style }: JsonObject): DrawnConfirm {
  return {
    title: plainText(title),
    text: plainText(text),
    confirm: plainText(confirm),
    deny: plainText(deny),
    isDanger: style === "danger",
  };
}

function buttonParts({ text, style, url, accessibility_label }: JsonObject, { channels }: DrawContext) {
  const label = stringAt(accessibility_label);
  const address = stringAt(url);
  const opened = channels.find(({ value }) => value === channelIn(address));
  return {
    kind: "button",
    text: drawEmoji(plainText(text)),
    style: style === "primary" || style === "danger" ? style : "plain",
    ...(label === undefined ? {} : { label }),
    ...(address !== undefined && /^https?:\/\//i.test(address) ? { url: address } : {}),
    ...(opened ? { channel: opened.text.replace(/^#/, "") } : {}),
  } as const;
}

/** The channel that an address of Slack opens. */
function channelIn(address: string | undefined): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  const isRedirect = url?.origin === "https://slack.com" && url.pathname === "/app_redirect";
  return isRedirect ? (url.searchParams.get("channel") ?? undefined) : undefined;
}

function valuesOf(options: unknown): readonly string[] {
  return objectsIn(options).map(({ value }) => stringAt(value) ?? "");
}

type SelectParts = Omit<DrawnSelect, "blockId" | "actionId">;

function selectParts(type: string, element: JsonObject, held: JsonObject, context: DrawContext): SelectParts {
  const isMultiple = type.startsWith("multi_");
  const kind = type.replace(/^multi_/, "");
  const max = typeof element.max_selected_items === "number" ? { max: element.max_selected_items } : {};
  const base = { kind: "select", isMultiple, placeholder: drawEmoji(plainText(element.placeholder)), ...max } as const;
  const offered = offeredBy(kind, context);
  if (offered !== undefined) return { ...base, options: offered, chosen: chosenIds(held, offered, context) };
  const chosen = objectsIn(held.selected_options ?? [held.selected_option]).map((each) => drawOption(each, context));
  if (kind !== "external_select") return { ...base, options: listed(element, context), chosen };
  const from = typeof element.min_query_length === "number" ? element.min_query_length : 3;
  return { ...base, options: [], chosen, searchesFrom: from };
}

function offeredBy(kind: string, { people, channels }: DrawContext): readonly DrawnOption[] | undefined {
  if (kind === "users_select") return people;
  if (kind === "conversations_select") return channels;
  return kind === "channels_select" ? channels.filter((channel) => channel.kind === "public") : undefined;
}

/** The values of people and conversation pickers are ids. */
function chosenIds(held: JsonObject, offered: readonly DrawnOption[], { viewer }: DrawContext): readonly DrawnOption[] {
  const ids = Object.entries(held).flatMap(([name, value]) =>
    name.startsWith("selected_") ? (typeof value === "string" ? [value] : stringsIn(value)) : [],
  );
  return ids.map((id) => offered.find(({ value }) => value === id) ?? { value: id, text: viewer.nameOf(id) });
}

function listed(element: JsonObject, context: DrawContext): readonly DrawnOption[] {
  const grouped = objectsIn(element.option_groups).flatMap((group) =>
    shownOptions(group).map(({ option }) => ({ ...drawOption(option, context), group: plainText(group.label) })),
  );
  return [...objectsIn(element.options).map((option) => drawOption(option, context)), ...grouped];
}

/** A moment is in the viewer's zone. A time picker can have its own zone, which is then shown. */
function momentParts(
  { type, timezone }: JsonObject,
  held: JsonObject,
  { viewer }: DrawContext,
): Omit<DrawnMoment, "blockId" | "actionId"> {
  const zone = stringAt(timezone) ?? viewer.zone;
  if (type === "datepicker")
    return { kind: "moment", parts: "date", date: stringAt(held.selected_date) ?? null, time: null, zone };
  if (type === "timepicker")
    return { kind: "moment", parts: "time", date: null, time: stringAt(held.selected_time) ?? null, zone };
  const seconds = held.selected_date_time;
  if (typeof seconds !== "number") return { kind: "moment", parts: "both", date: null, time: null, zone };
  const { year, month, day, hour, minute } = wallClockAt(seconds * 1000, viewer.zone);
  const two = (part: number): string => String(part).padStart(2, "0");
  return {
    kind: "moment",
    parts: "both",
    date: `${year}-${two(month)}-${two(day)}`,
    time: `${two(hour)}:${two(minute)}`,
    zone,
  };
}

const inputTypes = new Map<string, DrawnTextInput["type"]>([
  ["plain_text_input", "text"],
  ["email_text_input", "email"],
  ["url_text_input", "url"],
  ["number_input", "number"],
  ["rich_text_input", "text"],
]);

function textParts(type: string, element: JsonObject, held: JsonObject) {
  return {
    kind: "text",
    type: inputTypes.get(type) ?? "text",
    isMultiline: element.multiline === true || type === "rich_text_input",
    placeholder: drawEmoji(plainText(element.placeholder)),
    value: stringAt(held.value) ?? "",
  } as const;
}
