import type { TargetedFocusEvent, TargetedInputEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { objectAt, objectsIn, plainText, stringAt } from "../../workspace/json-object.ts";
import { dateInZone, drawEmoji } from "../../workspace/mrkdwn.ts";
import type { Json } from "../wire.ts";
import { pendingSends } from "./connection.ts";
import { MenuButton } from "./menu-button.tsx";
import { Select } from "./select.tsx";
import {
  type ElementProps,
  type Surface,
  SurfaceProvider,
  showPlace,
  useElement,
  useOptimisticValue,
  useSession,
  useSurface,
} from "./session.ts";
import { RichText, Text } from "./text.tsx";

export function Blocks({ blocks, surface }: { readonly blocks: readonly Json[]; readonly surface: Surface }) {
  const isForm = surface.on === "view";
  return (
    <SurfaceProvider value={surface}>
      <div class="blocks">
        {blocks.map((block, index) => (
          <Block key={isForm ? `${block.type} ${block.block_id}` : lastingKey(blocks, index)} block={block} />
        ))}
      </div>
    </SurfaceProvider>
  );
}

/** Slack's ids are new whenever a message or the Home tab is redrawn, which must not take the focus or close a menu. */
function lastingKey(blocks: readonly Json[], index: number): string {
  const type = blocks[index]?.type;
  return `${type} ${blocks.slice(0, index).filter((block) => block.type === type).length}`;
}

function Block({ block }: { readonly block: Json }) {
  switch (block.type) {
    case "header":
      return <h3 class="block-header">{drawEmoji(plainText(block.text))}</h3>;
    case "divider":
      return <hr />;
    case "section":
      return <Section block={block} />;
    case "context":
      return (
        <div class="block-context">
          {objectsIn(block.elements).map((item, index) => (
            <span key={index}>
              <Text text={item} />
            </span>
          ))}
        </div>
      );
    case "actions":
      return (
        <div class="block-actions">
          {objectsIn(block.elements).map((element, index) => (
            <Element key={keyOf(element, index)} block={block} element={element} label="" />
          ))}
        </div>
      );
    case "input":
      return <InputBlock block={block} />;
    case "rich_text":
      return <RichText block={block} />;
    default:
      return <p class="remark">[the sandbox does not render blocks of type {stringAt(block.type)}]</p>;
  }
}

/** A button with the same text in the same place is the same one, though its action id names what it was drawn for. */
function keyOf({ type, text, action_id }: Json, index: number): string {
  return type === "button" ? `button ${index} ${plainText(text)}` : `${type} ${action_id}`;
}

function Section({ block }: { readonly block: Json }) {
  const fields = objectsIn(block.fields);
  return (
    <div class="block-section">
      <div class="section-text">
        <Text text={block.text} />
        {fields.length > 0 && (
          <div class="fields">
            {fields.map((field, index) => (
              <div key={index}>
                <Text text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {block.accessory !== undefined && (
        <div class="accessory">
          <Element block={block} element={objectAt(block.accessory)} label={plainText(block.text)} />
        </div>
      )}
    </div>
  );
}

const groups: readonly unknown[] = ["checkboxes", "radio_buttons", "timepicker", "datetimepicker"];

function InputBlock({ block }: { readonly block: Json }) {
  const id = useId();
  const { errors } = useSurface();
  const [label, hint] = [block.label, block.hint].map((text) => drawEmoji(plainText(text)));
  const error = errors[stringAt(block.block_id) ?? ""] ?? "";
  const element = objectAt(block.element);
  const described = [...(hint ? [`${id}-hint`] : []), ...(error ? [`${id}-error`] : [])].join(" ");
  const optional = block.optional === true && <span class="optional"> (optional)</span>;
  const labelProps = { label: label ?? "", id, describedBy: described || undefined, isWrong: error !== "" };
  return (
    <div class={error ? "block-input wrong" : "block-input"}>
      {groups.includes(element.type) ? (
        <span class="label" id={`${id}-label`}>
          {label}
          {optional}
        </span>
      ) : (
        <label class="label" for={id}>
          {label}
          {optional}
        </label>
      )}
      <Element block={block} element={element} {...labelProps} />
      {error !== "" && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Element(props: ElementProps) {
  const { type } = props.element;
  switch (type) {
    case "button":
      return <Button {...props} />;
    case "overflow":
      return <Overflow {...props} />;
    case "checkboxes":
    case "radio_buttons":
      return <Ticks {...props} />;
    case "timepicker":
    case "datetimepicker":
      return <Moment {...props} />;
    case "static_select":
    case "external_select":
    case "multi_external_select":
    case "users_select":
      return <Select {...props} />;
    case "plain_text_input":
    case "email_text_input":
    case "number_input":
      return <TextInput {...props} />;
    default:
      return <span class="remark">[the sandbox does not render elements of type {stringAt(type)}]</span>;
  }
}

/** The address of a button or menu entry, when it leads to the web. */
function openAddress({ url }: Json): void {
  const address = stringAt(url);
  if (address !== undefined && /^https?:\/\//i.test(address)) open(address, "_blank", "noopener,noreferrer");
}

function Button({ element, block }: ElementProps) {
  const { places } = useSession();
  const { confirm, press } = useElement({ element, block });
  const [isBusy, setIsBusy] = useState(false);
  const { text, style, url } = element;
  const onClick = async () => {
    if (isBusy || !(await confirm())) return;
    setIsBusy(true);
    const channel = places.find(({ id }) => id !== undefined && id === channelIn(stringAt(url)));
    if (channel === undefined) openAddress(element);
    else showPlace(channel.where);
    await press();
    setIsBusy(false);
  };
  const look = style === "primary" || style === "danger" ? style : "plain";
  return (
    <button type="button" class={`button ${look}`} aria-busy={isBusy} onClick={onClick}>
      {drawEmoji(plainText(text))}
    </button>
  );
}

/** The channel that an address of Slack opens. */
function channelIn(address: string | undefined): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  const isRedirect = url?.origin === "https://slack.com" && url.pathname === "/app_redirect";
  return isRedirect ? (url.searchParams.get("channel") ?? undefined) : undefined;
}

function Overflow({ element, block }: ElementProps) {
  const { confirm, press } = useElement({ element, block });
  const items = objectsIn(element.options).map((option) => ({
    text: drawEmoji(plainText(option.text)),
    run: async () => {
      if (!(await confirm())) return;
      openAddress(option);
      await press(stringAt(option.value));
    },
  }));
  return <MenuButton label="More choices" items={items} />;
}

function Ticks({ element, block, label, id, describedBy }: ElementProps) {
  const { held, confirm, set } = useElement({ element, block });
  const group = useId();
  const isMany = element.type === "checkboxes";
  const serverValue = objectsIn(held.selected_options ?? [held.selected_option]).map(optionValue);
  const [chosen, setChosen] = useOptimisticValue(serverValue);
  const choose = async (value: string, input: HTMLInputElement) => {
    const others = chosen.filter((each) => each !== value);
    const next = isMany ? (input.checked ? [...chosen, value] : others) : [value];
    if (await confirm()) await setChosen(next, () => set(isMany ? next : value));
    else input.checked = chosen.includes(value);
  };
  return (
    <fieldset
      class="ticks"
      aria-labelledby={id && `${id}-label`}
      aria-label={id ? undefined : label}
      aria-describedby={describedBy}
    >
      {objectsIn(element.options).map((option) => (
        <label key={optionValue(option)}>
          <input
            type={isMany ? "checkbox" : "radio"}
            name={group}
            checked={chosen.includes(optionValue(option))}
            onChange={(event) => void choose(optionValue(option), event.currentTarget)}
          />
          <span>
            <Text text={option.text} />
            {option.description !== undefined && (
              <span class="hint">
                <Text text={option.description} />
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const optionValue = ({ value }: Json): string => stringAt(value) ?? "";

/** A time, or a day and a time. Sent only when every part is filled in. A time picker can have its own zone, which is then shown. */
function Moment({ element, block, label, id, describedBy, isWrong }: ElementProps) {
  const { reader } = useSession();
  const { held, confirm, set } = useElement({ element, block });
  const hasDay = element.type === "datetimepicker";
  const zone = stringAt(element.timezone) ?? reader.zone;
  const { selected_date_time: seconds } = held;
  const [day = "", clock = ""] = typeof seconds === "number" ? dateInZone(seconds, zone).split(" ") : [];
  const serverTime = hasDay ? clock : (stringAt(held.selected_time) ?? "");
  const [date, setDate] = useState(day);
  const [time, setTime] = useState(serverTime);
  useEffect(() => setDate(day), [day]);
  useEffect(() => setTime(serverTime), [serverTime]);

  const send = async (date: string, time: string) => {
    const isPartial = hasDay && (date === "") !== (time === "");
    if (isPartial || !(await confirm())) return;
    if (time === "") await set(null);
    else await set(hasDay ? { date, time } : time);
  };
  const described = { "aria-describedby": describedBy, "aria-invalid": isWrong ?? false };
  return (
    <fieldset class="moment" aria-labelledby={id && `${id}-label`} aria-label={id ? undefined : label}>
      {hasDay && (
        <input
          type="date"
          value={date}
          aria-label={`${label}: day`}
          {...described}
          onChange={({ currentTarget: { value } }) => {
            setDate(value);
            void send(value, time);
          }}
        />
      )}
      <input
        type="time"
        value={time}
        aria-label={`${label}: time, ${zone}`}
        {...described}
        onChange={({ currentTarget: { value } }) => {
          setTime(value);
          void send(date, value);
        }}
      />
      {element.timezone === undefined ? null : <span class="hint">{zone}</span>}
    </fieldset>
  );
}

type Typed = HTMLInputElement | HTMLTextAreaElement;

const debounceMs = 150;
const inputModes = { email_text_input: "email", number_input: "decimal" } as const;

/** Typed text shows immediately. It is sent after a pause, on blur, and before any other act. */
function TextInput({ element, block, label, id, describedBy, isWrong }: ElementProps) {
  const { held, key, set } = useElement({ element, block });
  const serverText = stringAt(held.value) ?? "";
  const [text, setText] = useState(serverText);
  const lastSent = useRef(serverText);
  /** Values sent whose echo from the server has not arrived. */
  const pendingEchoes = useRef<string[]>([]);
  const timer = useRef<number>();
  useEffect(() => {
    const echo = pendingEchoes.current.indexOf(serverText);
    pendingEchoes.current.splice(0, echo + 1);
    if (echo !== -1 || serverText === lastSent.current) return;
    // The app, or the same person in another window, changed the value.
    lastSent.current = serverText;
    setText(serverText);
  }, [serverText]);
  useEffect(() => () => void pendingSends.delete(key), [key]);

  const send = (value: string, isEntered = false) => {
    clearTimeout(timer.current);
    pendingSends.delete(key);
    if (value === lastSent.current && !isEntered) return;
    lastSent.current = value;
    pendingEchoes.current.push(value);
    void set(value === "" ? null : value, isEntered);
  };
  const typed = (value: string) => {
    setText(value);
    pendingSends.set(key, () => send(value));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), debounceMs);
  };
  const shared = {
    id,
    value: text,
    placeholder: drawEmoji(plainText(element.placeholder)),
    "aria-label": id ? undefined : label,
    "aria-describedby": describedBy,
    "aria-invalid": isWrong ?? false,
    onInput: ({ currentTarget }: TargetedInputEvent<Typed>) => typed(currentTarget.value),
    onBlur: ({ currentTarget }: TargetedFocusEvent<Typed>) => send(currentTarget.value),
  };
  if (element.multiline === true) return <textarea {...shared} rows={2} />;
  const mode = Object.entries(inputModes).find(([type]) => type === element.type)?.[1] ?? "text";
  return (
    <input
      {...shared}
      type="text"
      inputMode={mode}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key === "Enter") send(event.currentTarget.value, true);
      }}
    />
  );
}
