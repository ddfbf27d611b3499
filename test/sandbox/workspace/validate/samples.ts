/** Valid blocks and elements for tests to modify. */
export const plain = (text: string) => ({ type: "plain_text", text });
export const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
export const section = (more: object = {}) => ({ type: "section", text: mrkdwn("Hello"), ...more });
export const header = (more: object = {}) => ({ type: "header", text: plain("Hello"), ...more });
export const context = (...elements: readonly unknown[]) => ({ type: "context", elements });
export const actions = (...elements: readonly unknown[]) => ({ type: "actions", elements });
export const input = (element: unknown, more: object = {}) => ({
  type: "input",
  label: plain("Name"),
  element,
  ...more,
});
export const button = (more: object = {}) => ({ type: "button", text: plain("Go"), action_id: "go", ...more });
export const option = (value: string, more: object = {}) => ({ text: plain(value), value, ...more });
export const options = (count: number) => Array.from({ length: count }, (_, index) => option(`o${index}`));
export const confirm = (more: object = {}) => ({
  title: plain("Sure?"),
  text: plain("It ends."),
  confirm: plain("Yes"),
  deny: plain("No"),
  ...more,
});
export const letters = (count: number) => "x".repeat(count);
export const richText = (...inline: readonly unknown[]) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_preformatted", elements: inline }],
});
export const modal = (blocks: readonly unknown[], more: object = {}) => ({
  type: "modal",
  title: plain("Form"),
  submit: plain("Send"),
  blocks,
  ...more,
});

/** One valid element of every kind that Curfew sends. */
export const elements: Readonly<Record<string, object>> = {
  button: button(),
  checkboxes: { type: "checkboxes", options: options(2) },
  datetimepicker: { type: "datetimepicker" },
  timepicker: { type: "timepicker" },
  email_text_input: { type: "email_text_input" },
  number_input: { type: "number_input", is_decimal_allowed: false },
  plain_text_input: { type: "plain_text_input" },
  static_select: { type: "static_select", options: options(2) },
  external_select: { type: "external_select" },
  users_select: { type: "users_select" },
  multi_external_select: { type: "multi_external_select" },
  overflow: { type: "overflow", options: options(2) },
  radio_buttons: { type: "radio_buttons", options: options(2) },
};
