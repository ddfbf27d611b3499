import type { Sense } from "./lexicon.ts";

/**
 * What people ask for and nobody can do here. `order`: how it is said, from its verb on, with names as `@machine`, `@job`, `@person`,
 * `@time` and so on, in the shorthand of `parts`.
 */
export interface Cannot {
  readonly order?: string;
  /** How it is asked for without a verb, or in a question, anywhere in a clause. */
  readonly said?: string;
  /** `said` counts in a question too. */
  readonly isAsked?: true;
  readonly not?: string;
  /** What was asked for is close to this, for those who may not do even that. */
  readonly nearest?: "exclude";
  readonly says: string;
}

/** Shorthand in the patterns below. */
const parts: Readonly<Record<string, string>> = {
  /** Small words in front of a noun. */
  DET: "(?:(?:the|my|our|a|an|this|that|both|all|of|these|those|new|old|whole|entire|please|now|just|another|one|two|three|me|us|him|her|them|up|some|more|every|each|any|group|on|in|\\d+) ){0,5}",
  MACHINE:
    "(?:@machine(?: (?:machines?|servers?|box(?:es)?|instances?|group|vms?|databases?|dbs?|env|environment|nodes?|hosts?|ones?))?|@project|it|this|them|machines?|servers?|box(?:es)?|instances?|vms?|hosts?|nodes?|databases?|dbs?|environment|env|everything|cluster)(?! (?:exception|exclusion|hold|booking|reservation|window|slot|alert|warning|reminder|test|tests|job|run|series|backup|snapshot|from|off the|out)\\b)",
  JOB: "@(?:stop|start)?job",
  ANY: "(?:\\S+ ){0,8}?",
};

const hold = "I can hold machines out of their schedule.";

export const cannots: readonly Cannot[] = [
  {
    isAsked: true,
    order: "(?:reset|change|set|renew|send|give|need|forgot) ANY(?:passwords?|pwd|pw|passcode)\\b",
    said: "\\b(?:passwords?|passwort|pwd|passcode|passphrase|paswords?|passwrd|pw)(?: |$)",
    says: "I can't reset or show passwords. For accounts I can unlock, enable, disable, and change the e-mail address.",
  },
  {
    order:
      "(?:(?:hard|soft|full|quick|force|clean|proper) )?(?:restart|reboot|bounce|power-?cycle|power cycle|re-start|relaunch|boot again)(?: |$)(?!(?:test|tests|needed|is|was|at all)\\b)|(?:kick|reset|recycle) DET(?:@machine|machines?|servers?|box(?:es)?|vms?)$",
    said: "\\b(?:needs?|requires?|wants?|give|do|for) ANY(?:restart|reboot|power cycle)$|^@machine (?:restart|reboot)\\b|\\b(?:off and on again|off and back on)\\b",
    says: `I can't restart anything. ${hold}`,
  },
  {
    order:
      "(?:run|execute|trigger|launch|kick off|rerun|re-run) DET(?!@)(?:\\S+ ){0,3}(?:tests?|suites?|scripts?|jobs?|commands?|pipelines?|query|queries|migrations?|benchmarks?|playbooks?) (?:on|against|in|at) DET@machine",
    not: "@until",
    says: `I can't run tests, scripts or jobs on machines. ${hold}`,
  },
  {
    order:
      "(?:promote|demote|fail ?over|failover|fail-over|switch ?over|switchover)(?: |$)(?!(?:test|exercise|drill)\\b)|(?:make|turn|switch) DET(?:@machine )?ANY(?:primary|master|leader|replica|standby)\\b",
    says: `I can't switch databases over. ${hold}`,
  },
  {
    order:
      "(?:deploy|roll ?out|install|ship|push|release|publish) (?:version |release |build )?@time (?:to|on|onto|into|in)(?: |$)|(?:redeploy|deploy|install|reinstall|roll ?out|rollout|ship|upload|merge)(?: (?!(?:@time|at|is|was|on @time|tonight|today|weekend|day|window|in progress)\\b)|$)",
    says: "I can't deploy or install anything. I can keep the machines running while you do.",
  },
  {
    order:
      "(?:push|release|publish|roll back|rollback|copy|upload|transfer) ANY(?:to|on|onto|into) DET(?:@machine|@project|prod|production|live|master|main)\\b",
    not: "@until|\\b(?:hold|exception|booking|policy|rename)\\b",
    says: "I can't deploy or install anything. I can keep the machines running while you do.",
  },
  {
    order:
      "(?:patch|upgrade|update) DET(?:@machine|@project|os|kernel|software|agent|packages?|drivers?|java|python|postgres|nginx|app|image|firmware|windows|linux)\\b",
    says: "I can't deploy or install anything. I can keep the machines running while you do.",
  },
  {
    order:
      "(?:run|execute|trigger|launch|kick off|start) DET(?:\\S+ )?(?:tests?|script|scripts|command|pipeline|pipelines|migration|migrations|query|playbook|cron|cronjob|build job|ci|import|export|etl|load test|smoke tests?)\\b",
    says: "I can't run anything on machines. I can keep them up while you do.",
  },
  {
    order:
      "(?:set|change|lower|raise|cut|reduce|negotiate|adjust|update|correct|enter|edit|make|put|increase|decrease|get|find|give|drop|halve|haggle|bring) ANY(?:prices?|rates?|costs?|cheaper rate|@project cheaper|production cheaper|tariffs?|discounts?|hourly rate|spend|bill|pricing)\\b",
    not: "@until|\\b(?:because|since|warn|anyone|who)\\b",
    says: "I can't show or change prices. I can show how many hours are held, and hold machines off to save money.",
  },

  {
    order: "(?:resize|upsize|downsize|scale|rescale|autoscale|enlarge|grow|shrink|expand|double|halve)(?: |$)",
    not: "@person|\\b(?:exception|hold|window|slot|booking|my|time)\\b",
    says: `I can't change the size or number of machines or disks. ${hold}`,
  },
  {
    order:
      "(?:add|give|attach|increase|extend|raise|bump|need|want|get|put|have|allocate|provide|mount|change|set|make|switch|move|downgrade|upgrade|assign|use) ANY(?:disk|disks|storage|ram|memory|vcpus?|cpus?|cores?|gb|tb|gib|\\d+(?:gb|g|tb)|disc|iops|swap space|instance (?:size|type|class)|volume size|bigger|larger|smaller|cheaper|beefier|faster|size|autoscaling)\\b",
    not: "\\b(?:swap|full|bigger (?:window|slot)|demo|test|tests|exception)\\b",
    says: `I can't change the size or number of machines or disks. ${hold}`,
  },
  {
    order:
      "(?:buy|purchase|procure|rent|lease)(?: |$)(?!time)|(?:order|reserve|book|get|need) ANY(?:reserved instances?|savings plans?|spot (?:instances?|capacity)|capacity|licen[cs]es?|domain|hardware|laptop|(?:new )?phone for|seats?|pizza|lunch|meeting room|a room)\\b",
    says: `I can't buy or reserve anything at the provider. ${hold}`,
  },
  {
    isAsked: true,
    said: "\\b(?:what|how much|how many|which|whats|what's|show|list|tell|give|calculate|estimate|compare)\\b ANY(?:costs?|euros?|eur|dollars?|usd|\\$|€|pounds?|pay|paid|paying|prices?|bill|invoice|invoices|spend|spent|spending|charged?|tco|savings?)(?: |$|\\?)",
    not: "\\b(?:why|budget|until)\\b",
    says: "I don't know what anything costs. I can show how many hours are held.",
  },
  {
    order:
      "(?:mail|email|e-mail|fax|text|sms) (?:me|us|him|her|them|@person|it|this|that|the|a|an|everyone|everybody|all|my|our|to)\\b",
    not: "@address|\\b(?:is|was|address|adress)\\b",
    says: "I can't send mails. I answer here, and I can warn you here before machines stop.",
  },
  {
    order:
      "(?:send|mail|email|export|print|forward|generate|create|write|make|produce|prepare|compile|draw|build|get|need|give|schedule|want) (?!@machine)ANY(?:reports?|pdf|csv|excel|xlsx?|spreadsheet|e-?mails?|mail|sms|invoice|charts?|graphs?|dashboards?|newsletter|slides?|powerpoint|statistics)(?: |$)",
    not: "@address|JOB|\\b(?:address|adress|adr|until|till|til|up|keep|hold|exclude|warn|warning|alert)\\b",
    says: "I can't send mails or make reports. I can list here what is held, planned or changed.",
  },
  {
    order:
      "(?:call|phone|ring|text|sms|dm|page|contact|message|write|tell|inform|notify|remind|ping|write to|talk to|speak to|ask|shout at|invite|say to|say hello to|alert) (?:up )?(?:@person|the team|the customer|customers|everyone|everybody|the users|them|her|him|the others|somebody|someone|engineers|@engineers|support|the help ?desk|on-?call|the channel)(?: |$)",
    not: "\\b(?:name|rename|to allow|to approve|for approval|permission|hold)\\b|@person @",
    says: "I can't call or write to anybody else. I answer here, and warn those here who ask for it themselves.",
  },
  {
    order:
      "(?:announce|post|publish|broadcast) ANY(?:channel|everyone|team|#\\S+|slack|wiki|confluence|it|this|that)\\b",
    says: "I can't call or write to anybody else. I answer here, and warn those here who ask for it themselves.",
  },
  {
    order:
      "(?:open|close|block|unblock|allow|whitelist|allowlist|blacklist|add|change|update|set|point|create|configure|fix|renew|forward|enable|disable|edit|remove|restrict|ban|reroute|route|move|flush) ANY(?:ports?|port \\d+|firewalls?|fw|ip|ips|ip address|dns|cname|domain|subdomain|vpn|security groups?|load ?balancer|certificates?|certs?|ssl|tls|routes?|subnet|network|proxy|traffic|\\d+\\.\\d+\\.\\d+\\.\\d+\\S*)(?: |$)",
    says: "I can't change anything in the network. I can care for accounts and the times of machines.",
  },
  {
    order:
      "(?:log ?in|login|log ?on|logon|sign ?in|sign ?on|connect|telnet|remote|log|sign|enter)(?: (?:me|us|yourself))?(?: (?:in|on))?(?: (?:into|to|2|on|onto|as|with|via|@machine)\\b(?! @time)|$)|(?:get|go|jump|hop) (?:in ?to|onto|on|to) DET@machine and\\b",
    not: "\\b(?:can't|cannot|cant|keep|hold|until|off|out)\\b",
    says: "I can't log in to machines or accounts. I can show what I know about them.",
  },
  {
    order: "(?:ssh|rdp)(?: |$)|(?:tail|grep|cat|vi|sudo|curl|kill -9|rm|systemctl|docker|kubectl|df|top|ls)(?: |$)",
    says: "I can't log in to machines or accounts. I can show what I know about them.",
  },
  {
    isAsked: true,
    said: "\\b(?:tail|read|check|show|look|see|send|fetch|get|pull|download|find|search|what|what's|whats|how|is|are|give|open|analy[sz]e|monitor|watch|any)\\b ANY(?:syslog|logfiles?|log files?|(?:error|server|system|application|app|access|nginx|kernel) logs?|logs|metrics|cpu|ram usage|memory usage|disk usage|disk (?:is )?full|free space|disk space|cpu load|grafana|uptime|latency|stack ?trace|core dump|response times?|processes|error rate)(?: |$|\\?)",
    not: "\\b(?:audit|activity|change|event|your|until|keep|hold|up|who|changed)\\b",
    says: "I can't read logs or measurements of machines. I can show when they run, and what was changed.",
  },
  {
    order:
      "(?:create|add|make|set up|setup|set|register|onboard|open|provision|order|need|get|give|prepare|sign up|enroll|want|invite|have|clone|arrange) ANY(?:accounts?|acct|acc|users?|logins?|profile|access|onboarding)(?: |$)",
    isAsked: true,
    said: "\\b(?:new|another) (?:account|acct|user|login) (?:for|4)\\b|\\bneeds? ANY(?:new )?(?:account|acct|login)(?: |$)",
    not: "@address|\\b(?:mfa|2fa|phone|off|disable|disabled|enable|enabled|reset|unlock|unlocked|rename|email|mail|back|again|disable|remove|list|history|changes|keep|detach|delete)\\b|@machine|who ",
    says: "I can't create accounts or give access. I can care for the accounts that exist.",
  },
  {
    order:
      "new (?:user|account|login|employee|starter|colleague|hire) (?!who|for mfa)|(?:onboard|hire|invite|sign up|enroll)(?: |$)(?!ANY(?:mfa|2fa|phone|token)\\b)",
    says: "I can't create accounts or give access. I can care for the accounts that exist.",
  },
  {
    order:
      "(?:create|spin up|provision|launch|add|order|set up|setup|clone|duplicate|spawn|make|need|want|get|give|deploy|build|start|fire up) (?!@machine)ANY(?:new|another|additional|extra|second|third|fourth|fresh|temporary|temp|one more|more|\\d+|two|three|test) (?:\\S+ ){0,3}?(?:machines?|servers?|instances?|vms?|nodes?|box|boxes|replicas?|database|db|cluster|clusters|volumes?|environment|bucket|container|workers?)(?: |$)",
    not: "\\b(?:up until|keep|hold|group|rename|warn|until|till|running|stay|hours?|phone)\\b|@time",
    says: `I can't create or remove machines. ${hold}`,
  },
  {
    order:
      "(?:terminate|destroy|decommission|tear down|wipe|format|nuke|scrap|dispose) DET(?:@machine|machines?|servers?|instances?|vms?|volumes?|database|db|environment)(?! (?:hold|exception|exclusion|from|mfa))",
    says: `I can't create or remove machines. ${hold}`,
  },
  {
    order:
      "(?:restore|recover|roll back|rollback|rewind|bring back|reset|load|import|undelete) ANY(?:from ANY(?:backups?|snapshots?|@time|dump)|to the (?:state|snapshot|backup)|backups?|snapshots?|data|tables?|files?|database|databases|db|dbs|volume|dump)(?: |$)",
    said: "\\brestore @machine\\b",
    not: "\\b(?:hold|exception|exclusion|schedule|normal|usual|access|account)\\b",
    says: "I can't restore backups. I can show when they are made.",
  },
  {
    order:
      "(?:back ?up|snapshot|snap|dump|archive)(?: (?:DET(?:@machine|@project|database|databases|db|dbs|volumes?|everything|disks?|it|now)|right now)\\b|$)|(?:take|make|create|do|run|trigger|start|pull|need|want|give|kick off|launch|perform) ANY(?:backup|backups|snapshot|snapshots|dump|snap|@backup)(?: (?!(?:window|test|server|list|time|times|job)\\b)|$)",
    not: "\\b(?:skip|leave|omit|without|no|not|until|when|next|keep|warn|before|list|hold|exception)\\b",
    says: "I can't run backups now. They run by their schedule.",
  },
  {
    order:
      "(?:attach|assign|give|grant|add|put|make|promote|apply|provide|elevate|need|want|get|let) ANY(?:@policy|polic(?:y|ies)|permissions?|rights|admin|admins|administrators?|roles?|privileges|root|superuser|sudo|owner)(?: |$)",
    not: "\\b(?:off|away|detach|revoke|rid|remove|strip|list|show|who|mfa|2fa|rename|without|from)\\b|@machine|@time",
    says: "I can't attach policies or give rights. I can only detach policies.",
  },
  {
    order:
      "(?:rename|retitle|relabel|name|label|call) DET(?:(?:plan|selector|group|job|action|schedule|policy|account|user|machine) ){0,2}(?:@plan|@selector|@policy|JOB)(?: |$)|(?:rename|retitle|relabel) DET(?:plan|selector|group|machine|account|user|policy|job|action|@machine|@person)\\b",
    said: "(?:@plan|@selector|@policy) ANY(?:becomes|gets a new (?:title|name)|should be called|be renamed|is called .* now)\\b",
    says: "I can't rename plans, selectors, groups, machines or policies. I can show them, and rename projects and credentials.",
  },
  {
    order:
      "(?:rotate|renew|regenerate|reissue|replace|roll|cycle|recreate|generate|revoke|download|export|reveal|show me|print) ANY(?:keys?|secrets?|secret key|access keys?|api keys?|@key|credentials?|tokens?)(?: |$)",
    not: "\\b(?:mfa|2fa|otp|authenticator|what|which|list|rename|name|called|phone|overview)\\b|@person",
    says: "I can't rotate or show keys. I can list, rename and delete credentials.",
  },
  {
    order:
      "(?:hand|hand over|transfer|pass|pass on|assign|reassign|sign over|move|change) ANY(?:exception|exclusion|hold|booking|reservation|slot|series|owner(?:ship)?|@machine|it|this|that|request) (?:over |on )?(?:to|over to|into) (?:the name of )?@person",
    said: "\\bmake @person (?:the )?(?:new )?owner\\b",
    says: "I can't hand a hold over to somebody else. They can make one of their own.",
  },
  {
    order:
      "(?:fix|repair|debug|troubleshoot|heal|diagnose|investigate|unfreeze|unstick|optimi[sz]e|tune|speed up|clean up|clean|defrag|reindex|vacuum|drain|failback|resync|truncate|encrypt|mount|unmount|reimage|hibernate) DET(?:@machine|machines?|servers?|database|db|disks?|cache|volumes?|index|tables?|it)\\b",
    says: `I can't work on machines themselves. ${hold}`,
  },
  {
    order:
      "(?:open|create|file|raise|log|write|close|update|assign|make) (?:DET)(?:\\S+ )?(?:ticket|jira|bug|issue|incident|pull request|pr|merge request|task|story)(?: |$)|(?:book|set up|arrange|cancel|invite|schedule|plan) ANY(?:meeting|appointment|call|calendar invite|room|lunch|flight|taxi)(?: |$)",
    not: "@time ANY@machine|@machine|@person's",
    says: `I can't do that. I care for the times of machines and for accounts.`,
  },
  {
    order:
      "(?:add|enter|put|create|set|remove|delete|insert|mark|declare|make) ANY(?:holidays?|bank holiday|calendar|day off)(?: |$)",
    not: "@machine|\\b(?:keep|skip)\\b",
    says: "I can't change the calendar of holidays. I can show it, and skip the runs of one day.",
  },
  {
    order:
      "(?:raise|increase|change|lift|set|reset|bump|extend|double|up|lower|adjust|give|add) ANY(?:budgets?|limits?|quotas?|allowance|cap|40 ?h|40 hours)(?: |$)",
    not: "@machine|JOB",
    says: "I can't change limits or budgets. I can show what is used, and ask for what is longer than you may hold.",
  },
];

/** How a schedule is asked to change for good. */
export const schedules: readonly Cannot[] = [
  {
    order:
      "(?:move|change|shift|set|put|reschedule|adjust|update|edit|modify|make|swap|bring|pull|push|restore|revert|reset|alter|delete|remove|create|add|fix|correct|turn) (?:back )?DET(?:JOB|schedule|timetable|(?:\\S+ ){0,3}?(?:schedule|schedules|timetable|start time|stop time|(?:evening|nightly|night|morning|weekly|daily) (?:stop|start|shutdown|boot)))(?! (?:run|off|hold|exception)\\b)(?: |$)",
    said: "^JOB (?:back |again )?(?:to|at|@time|->|goes|gets)(?: |$)|^JOB (?:should|must|shall|has to|have to|needs? to|ought to|is to)\\b ANY(?:@time|back|earlier|later)(?: |$)|^restore @time|\\b(?:stop|start|shut down|boot) ANYANY(?:permanently|for good|from now on)$",
    not: "\\b(?:skip|leave|omit|undo|not|warn|before|keep|hold|once|name|rename|off)\\b",
    nearest: "exclude",
    says: "I can't change schedules. I can hold machines out of a run, also every week, and skip a run.",
  },
];

const rest =
  "(?: (?:@time|please|pls|now|right now|immediately|asap|manually|again|back|to|because|so|this|right|at|already|early|up|down|urgently|quickly|once|for me|for us|and|straight|over|while|when|or)\\b|$)";

/** What runs this moment is up to the schedule. */
export const powers: readonly Cannot[] = [
  {
    order: `(?:start|boot|launch|wake|fire up|power on|power up|turn on|switch on|turn back on|spin up|bring up|start up|boot up|wake up|bring back|activate) DETMACHINE${rest}|(?:turn|switch|power|bring|put|get|fire|spin|wake|start|boot) DETMACHINE (?:both )?(?:back )?(?:on|up|online|running)\\b|@startjob (?:now|right|immediately|asap|manually|early|again|please|pls|at once)\\b`,
    not: "@until|\\b(?:mfa|account|login|warn|instead)\\b|@person",
    nearest: "exclude",
    says: "I can't start machines now. They start by their schedule. I can hold them up while they run.",
  },
  {
    order: `(?:stop|shut|halt|kill|turn off|switch off|power off|power down|take down|bring down|shut down|shut off|shutdown|poweroff|suspend|pause|hibernate|deactivate) DETMACHINE${rest}|(?:turn|switch|power|take|bring|pull|put|shut|get|send) DETMACHINE (?:both )?(?:off|down|offline|to sleep|to bed)\\b|@stopjob (?:now|right|immediately|asap|manually|early|again|please|pls|at once)\\b`,
    not: "@until|\\b(?:mfa|account|login|warn|warning|hold|exception|booking)\\b|@person",
    nearest: "exclude",
    says: "I can't stop machines now. They stop by their schedule. I can end what holds them up.",
  },
  {
    order:
      "(?:run|trigger|execute|force|start|kick off|launch|repeat|rerun|re-run|fire) DETJOB(?: |$)|JOB (?:now|right|asap|immediately|manually|early|at once|again)\\b",
    not: "@until|\\b(?:not|without|skip)\\b",
    says: "I can't run a job now. Jobs run by their schedule. I can skip a run, and show the next one.",
  },
];

/** What is asked by these senses, where no pattern above knows its words. */
export const bySense: readonly {
  must: readonly Sense[];
  not: readonly Sense[];
  needs: "thing" | "action" | "plan" | "address";
  isOrder: boolean;
  as: Cannot | undefined;
}[] = [
  {
    must: ["end", "stop", "turnOff", "turnOn", "off", "prevent", "disable", "enable", "start", "rename", "move", "go"],
    not: ["list", "keepUp", "skip", "status", "what"],
    ...{ needs: "plan", isOrder: true },
    as: {
      says: "I can't change plans, nor switch them on or off. I can show them. I can change which machines a selector covers.",
    },
  },
  {
    must: ["create"],
    not: ["email", "move", "rename", "mfa", "phone", "save", "group", "instead"],
    ...{ needs: "address", isOrder: true },
    as: { says: "I can't create accounts or give access. I can care for the accounts that exist." },
  },
  {
    must: ["start", "turnOn"],
    not: ["keepUp", "keepOff", "release", "skip", "warn", "mute", "stop", "keep", "enable", "email"],
    ...{ needs: "thing", isOrder: true, as: powers[0] },
  },
  {
    must: ["stop", "turnOff"],
    not: ["keepUp", "keepOff", "release", "skip", "warn", "mute", "start", "keep", "done", "end", "login", "account"],
    ...{ needs: "thing", isOrder: true, as: powers[1] },
  },
  {
    must: ["move", "undo", "change", "extend", "rename"],
    not: ["skip", "keepUp", "keepOff", "end"],
    ...{ needs: "action", isOrder: false, as: schedules[0] },
  },
];

/** A pattern of `order` or `said`, ready to be tried. */
export const patternOf = (source: string, isFromVerb: boolean): RegExp => {
  const full = Object.entries(parts).reduce((said, [name, part]) => said.replaceAll(name, part), source);
  return new RegExp(isFromVerb ? `^(?:${full})` : full);
};
