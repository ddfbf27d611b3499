export const controlHelp = `Curfew sandbox API for scripts, on this machine only. Answers are JSON, except this text. For the page, open GET /.

GET  /people                        all people, with their channels
GET  /messages?as=alice&in=ops      the messages a person sees there; without "in", everywhere ("dm": direct messages with the bot)
GET  /view?as=alice                 the form the person has open, or null
GET  /service                       exclusions (with isInForce), users and projects in the embedded service
POST /act                           performs one action as a person; answers when the bot is idle, with
                                    { messages: new or changed, view, options? }, or 409 { error } when it is not possible
  {"as":"alice","in":"ops","type":"/curfew exclude i-0a1 for 2h"}
  {"as":"alice","fill":{"Reason":"demo"}}         {"as":"alice","submit":true}       {"as":"alice","cancel":true}
  {"as":"alice","suggest":{"label":"Project","query":"dev"}}
  {"as":"alice","press":"End now","nth":1}        a button, or an entry of a ⋯ menu; with "deny":true, answers no to the question
POST /fault                         makes the next requests to the service or to Slack fail
  {"service":{"kind":"status","status":503,"operation":"CreateActionExclusion","times":1}}
    kinds: latency {ms}, refuse, reset-before, reset-after, status {status, retryAfterSeconds}, garbage {status}
  {"slack":{"method":"chat.postMessage","error":"not_in_channel"}}
    instead of error: status, retryAfterSeconds, reset; also delayMs, afterwards, times
  {"clear":true}
POST /clock                         moves the clock of service, workspace and bot forward; runs what falls due
  {"forward":"2h"}

curl -s 127.0.0.1:PORT/act -d '{"as":"alice","in":"ops","type":"/curfew help"}'
`;
