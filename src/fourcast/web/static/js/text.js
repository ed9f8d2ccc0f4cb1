/**
 * Every word that the page says, in English. To translate the page, translate this file.
 *
 * Functions take what is counted or named. `sides` are the players' names, by player.
 */

/** @param {number} count @param {string} one @param {string} [many] */
const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

const locale = "en";
const whole = new Intl.NumberFormat(locale);
const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** @param {number} count @returns {string} 12,345 */
export const number = (count) => whole.format(count);

/** @param {number | null | undefined} count @returns {string} 12.3K */
export const shortNumber = (count) => (count === null || count === undefined ? "–" : compact.format(count));

/** @param {number | null | undefined} seconds @returns {string} */
export const duration = (seconds) => {
  if (seconds === null || seconds === undefined) return "–";
  const thousandths = seconds * 1000;
  if (thousandths && thousandths < 10) return `${thousandths.toFixed(thousandths < 1 ? 2 : 1)} ms`;
  return seconds < 1 ? `${Math.round(thousandths)} ms` : `${seconds.toFixed(1)} s`;
};

/** @param {number} seconds - since 1970 @returns {string} Nov 18, 2026 */
export const day = (seconds) => days.format(1000 * seconds);

/** @param {number} value @param {number} [digits] @returns {string} with its sign; a real minus */
export const signed = (value, digits = 2) => {
  const written = Math.abs(value).toFixed(digits);
  return Number(written) === 0 ? written : `${value < 0 ? "−" : "+"}${written}`;
};

export const text = {
  language: locale,
  name: "Fourcast",
  pages: { play: "Play", watch: "Watch", tree: "Search tree", leaderboard: "Leaderboard" },
  titles: {
    play: "Fourcast: play and understand Connect Four",
    watch: "Watch agents play · Fourcast",
    tree: "Search tree · Fourcast",
    leaderboard: "Leaderboard · Fourcast",
    missing: "Not found · Fourcast",
  },
  missing: {
    title: "There is nothing here",
    help: "The address may be mistyped; a game's own address is made by Copy link.",
    back: "Go to the board",
  },
  skip: "Go to the board",
  theme: { dark: "Dark colours", light: "Light colours" },
  sides: ["Amber", "Blue"],
  sideOrder: ["first", "second"],
  you: "You",
  /** @param {number} seconds */
  seconds: (seconds) => `${seconds} s`,
  close: "Close",
  cancel: "Cancel",

  /** @param {string} name */
  column: (name) => `Column ${name}`,
  columns: "Columns of the board",
  /** @param {string} name @param {number} free @param {string} [worth] */
  columnLabel: (name, free, worth) =>
    `Column ${name}, ${free ? `${free} free` : "full"}${worth ? `, ${worth}` : ""}`,
  /** @param {number} ply @param {string} state */
  boardTitle: (ply, state) => `The board after ${plural(ply, "disc")}: ${state}`,
  /** @param {string} side */
  toMove: (side) => `${side} to move`,
  yourTurn: "Your turn",
  /** @param {string} side */
  turnOf: (side) => `${side} to move`,
  /** @param {string} side @param {string} agent */
  thinks: (side, agent) => `${side} is thinking (${agent})`,
  /** @param {string} side */
  wins: (side) => `${side} wins`,
  youWin: "You win!",
  youLose: "You lose",
  draw: "A draw: the board is full",
  /** @param {number} ply @param {number} of */
  viewing: (ply, of) => (ply ? `Move ${ply} of ${of}` : `Before the first of ${plural(of, "move")}`),
  /** @param {string} side */
  agentToMoveHere: (side) => `${side}'s agent would move here`,
  /** @param {number} ply @param {number} rows @param {number} columns @param {number} connect @param {number} slip */
  game: (ply, rows, columns, connect, slip) =>
    `Move ${ply + 1} · ${rows}×${columns}, ${connect} in a line${slip ? ` · slip ${slip}` : ""}`,
  /** @param {number} plies */
  lasted: (plies) => `After ${plural(plies, "move")}`,
  playFromHere: "Play on from here",
  /** @param {string} side @param {string} aim @param {string} landed */
  slipped: (side, aim, landed) => `${side} aimed at ${aim}, landed in ${landed}`,
  /** @param {string} side @param {string} column @param {number} row */
  dropped: (side, column, row) => `${side} dropped into column ${column}, row ${row}.`,
  /** @param {string} column */
  columnFull: (column) => `Column ${column} is full.`,
  notYourTurn: "It is not your turn.",

  controls: {
    group: "The game",
    newGame: "New game",
    undo: "Undo",
    redo: "Redo",
    hint: "Hint",
    first: "First position",
    previous: "One move back",
    next: "One move on",
    last: "Last position",
    stop: "Stop thinking",
    swap: "Change sides",
  },
  /** @param {string} column @param {string} worth */
  hint: (column, worth) => `Hint: column ${column}${worth ? `, ${worth}` : ""}`,
  hinting: "Looking for a good move …",

  players: {
    title: "Players",
    /** @param {string} side */
    who: (side) => `${side} is played by`,
    /** @param {string} side */
    time: (side) => `${side}'s thinking time`,
    human: "Human",
    other: "Another agent …",
    levels: "Levels",
    own: "Chosen agent",
    /** @param {string} limit */
    perMove: (limit) => `${limit} a move`,
    customLimit: "Other …",
    limitPrompt: "What a move may take, like 3s, depth=6 or simulations=800",
  },
  /** @type {Record<string, string>} names of the server's suggested levels */
  levels: {
    easiest: "Beginner",
    easy: "Easy",
    medium: "Medium",
    hard: "Hard",
    hardest: "Master",
  },

  agentDialog: {
    /** @param {string} side */
    title: (side) => `Who plays ${side}?`,
    choose: "Agent",
    spec: "As it is written",
    specHelp: "A name, then options: alphabeta:depth=6,eval=windows",
    options: "Options",
    noOptions: "This agent has no options.",
    limit: "Limit a move",
    limitHelp: "1s, 200ms, depth=6, nodes=100000, simulations=800; several with commas",
    use: "Use this agent",
    /** @param {string} value */
    usual: (value) => `usually ${value}`,
    /** @param {string} name */
    unknown: (name) => `There is no agent “${name}”.`,
    badLimit: "That limit cannot be read.",
  },

  newGame: {
    title: "New game",
    board: "Board",
    presets: { "6x7x4": "Standard", "5x5x3": "Small", "8x10x5": "Large" },
    rows: "Rows",
    columns: "Columns",
    connect: "In a line to win",
    slip: "Slip",
    slipHelp: "The chance that a disc lands in one of the other open columns. 0 is the usual game.",
    start: "Start",
    badSlip: "Slip is a number from 0 to 0.99.",
  },
  boardErrors: {
    numbers: "Rows, columns and line are whole numbers from 1.",
    short: "A line needs at least 3 discs.",
    long: "A line cannot be longer than the board is wide or high.",
    wide: "35 columns is the most.",
    /** @param {number} cells */
    large: "This board is larger than the server allows.",
  },

  moves: {
    title: "Moves",
    none: "No moves yet. Drop a disc into any column.",
    noneYet: "No moves yet.",
    /** @param {number} ply @param {string} side @param {string} aim @param {string} landed */
    label: (ply, side, aim, landed) =>
      `Move ${ply}: ${side}, column ${landed}${aim === landed ? "" : `, aimed at ${aim}`}`,
  },

  analysis: {
    title: "Analysis",
    scores: "Scores",
    threats: "Threats",
    waiting: "Looking …",
    waitingLong: "Looking … the first time on a board takes longer.",
    hidden: "Turn on scores to see what every column is worth.",
    over: "The game is over.",
    exact: "Exact",
    /** @param {string} agent */
    by: (agent) => `by ${agent}`,
    line: "Best line",
    lineHelp: "Point at a move to see it on the board",
    noLine: "–",
    /** @param {string} column */
    best: (column) => `best: ${column}`,
    legend: "Winning cells: ▲ odd row, ■ even row; filled where a disc can be dropped now.",
    bestMark: "best",
    judge: "Judged by",
    auto: "Solver, else an agent",
  },
  worth: {
    /** @param {number} score @param {number} moves */
    long: (score, moves) =>
      score === 0 ? "draws" : `${score > 0 ? "wins" : "loses"} in ${plural(moves, "move")}`,
    /** @param {number} score */
    short: (score) => (score === 0 ? "Draw" : score > 0 ? "Win" : "Loss"),
    /** @param {number} moves */
    within: (moves) => `in ${moves}`,
    /** @param {number} value */
    value: (value) => `value ${signed(value)}`,
  },
  /** @param {string} side @param {number} score @param {number} moves */
  verdict: (side, score, moves) =>
    score === 0 ? "A draw with best play" : `${side} ${score > 0 ? "wins" : "loses"} in ${plural(moves, "move")}`,
  /** @param {string} side @param {number} value */
  estimate: (side, value) => {
    const lead = Math.abs(value);
    if (lead < 0.06) return "About even";
    return `${side} is ${lead > 0.6 ? "far " : lead > 0.25 ? "" : "a little "}${value > 0 ? "ahead" : "behind"}`;
  },

  /** @param {string} side @param {string} column @param {number} row @param {boolean} odd @param {boolean} playable */
  threat: (side, column, row, odd, playable) =>
    `${side} wins in column ${column}, row ${row} (${odd ? "odd" : "even"}${playable ? ", open now" : ""})`,
  /** @param {string[]} cells */
  threats: (cells) => (cells.length ? `Threats: ${cells.join("; ")}.` : "No threats."),

  thinking: {
    title: "Thinking",
    idle: "No search is running.",
    depth: "Depth",
    nodes: "Nodes",
    games: "Games",
    rate: "Nodes/s",
    time: "Time",
    preparing: "Getting ready for this board …",
    waiting: "Waiting for its turn …",
    /** @param {number} seconds */
    busy: (seconds) => `The server is busy; trying again in ${seconds} s.`,
  },

  review: {
    title: "The game so far",
    start: "Review the game",
    again: "Review again",
    /** @param {number} done @param {number} all */
    progress: (done, all) => `Reviewing: ${done} of ${all}`,
    empty: "After a few moves, a review shows how the balance swung and which moves gave it away.",
    chart: "Who was ahead after every move",
    ply: "Move",
    /** @param {string} side */
    ahead: (side) => `${side} ahead`,
    /** @param {number} ply @param {string} words */
    at: (ply, words) => `${ply ? `After move ${ply}` : "At the start"}: ${words}`,
    faultless: "No mistakes were found.",
    /** @param {number} count */
    found: (count) => `${plural(count, "move")} could have been better.`,
    /** @param {number} count */
    foundYours: (count) => `${plural(count, "move")} of yours could have been better.`,
    faultlessYours: "No mistakes of yours were found.",
    learn: "Learn from your mistakes",
    /** @type {Record<string, string>} */
    judgements: { inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder" },
    /** @type {Record<string, string>} */
    marks: { inaccuracy: "?!", mistake: "?", blunder: "??" },
    /** @param {string} judgement @param {number} ply @param {string} side @param {string} column */
    fault: (judgement, ply, side, column) => `${judgement}, move ${ply}: ${side} in column ${column}`,
  },
  puzzle: {
    title: "Find a better move",
    /** @param {number} number @param {number} of */
    count: (number, of) => `Puzzle ${number} of ${of}`,
    /** @param {string} side @param {string} column */
    task: (side, column) => `${side} played column ${column} here. Which column is better?`,
    /** @param {string} column @param {string} worth */
    right: (column, worth) => `Yes, column ${column}${worth ? ` ${worth}` : ""}.`,
    /** @param {string} column @param {string} worth */
    wrong: (column, worth) => `Column ${column}${worth ? ` ${worth}` : " is not the best"}. Try another.`,
    /** @param {string} columns */
    answer: (columns) => `Best: column ${columns}.`,
    show: "Show the answer",
    next: "Next",
    leave: "Back to the game",
    done: "That was the last one.",
  },

  share: {
    title: "Share",
    link: "Copy link",
    moves: "Copy moves",
    board: "Copy text board",
    svg: "Download SVG",
    /** @param {string} what */
    copied: (what) => `Copied: ${what}`,
    things: { link: "the link to this game", moves: "the moves", board: "the board as text" },
    failed: "Copying is not allowed here. The address above is the game.",
    setUp: "A position, by its moves",
    load: "Set up",
    /** @param {string} move @param {number} at */
    badMove: (move, at) => `Move ${at}, “${move}”, cannot be played.`,
    file: "fourcast.svg",
  },

  watch: {
    transport: "Playback",
    play: "Play",
    pause: "Pause",
    step: "Step",
    speed: "Speed",
    speeds: { slow: "Slow", normal: "Normal", fast: "Fast", fastest: "As fast as it goes" },
    stored: "Stored games",
    noStore: "This server shows no stored games. Start it with --games games.db to replay those of a tournament.",
    run: "Tournament or match",
    /** @param {string} kind @param {string} board @param {number} games @param {string} day */
    runName: (kind, board, games, day) => `${kind}, ${board}, ${plural(games, "game")}, ${day}`,
    /** @param {string} board @param {number} slip */
    boardWithSlip: (board, slip) => `${board} slip ${slip}`,
    agent: "Agent",
    allAgents: "All agents",
    replay: "Replay",
    /** @param {string} first @param {string} second */
    replayLabel: (first, second) => `Replay ${first} against ${second}`,
    page: "Page",
    /** @param {number} page @param {number} pages */
    pageOf: (page, pages) => `Page ${page} of ${pages}`,
    earlier: "Previous page",
    later: "Next page",
    /** @param {string} ending */
    ended: (ending) => `ended by ${ending}`,
    heads: { first: "First", second: "Second", result: "Result", plies: "Discs" },
  },

  leaderboard: {
    title: "Leaderboard",
    standings: "Standings",
    crosstable: "Crosstable",
    crosstableHelp: "Points that the agent of the row took from that of the column",
    games: "Games",
    agents: "Agents",
    heads: {
      rank: "Rank",
      agent: "Agent",
      points: "Points",
      games: "Games",
      share: "Share",
      first: "As first",
      second: "As second",
      elo: "Elo",
      interval: "95% interval",
    },
    record: "wins, draws, losses",
    /** @param {string} elo @param {string} low @param {string} high */
    rating: (elo, low, high) => `Elo ${elo}, between ${low} and ${high}`,
    none: "No tournament to show",
    noneHelp: "Start the server with a store of games to see standings, ratings and a crosstable here:",
    command: "fourcast serve --games games.db",
    groups: "Some agents never met, not even by way of others: their ratings cannot be compared.",
    unbounded: "took every point, or none: how far it stands off is a guess",
    unboundedHelp: "> and <: took every point, or none; how far it stands off is a guess.",
  },

  tree: {
    title: "How a search thinks",
    intro: "Two agents look at one position. Open a node to see what they looked at, and what they left out.",
    position: "Position",
    positionHelp: "Click a column to go on, or type moves",
    agentA: "Agent",
    agentB: "Compared with",
    plies: "Plies shown",
    search: "Search",
    searching: "Searching …",
    noAgent: "none",
    compare: "Side by side",
    rows: {
      column: "Plays column",
      value: "Value",
      nodes: "Nodes",
      leaves: "Leaves evaluated",
      cutoffs: "Cutoffs",
      simulations: "Games played out",
      tableHits: "Table hits",
      depth: "Depth",
      seconds: "Time",
      shown: "Nodes shown",
    },
    expandAll: "Open all",
    collapse: "Best line only",
    flow: "Values known",
    flowPlay: "Let values flow up",
    /** @param {number} ply */
    flowPly: (ply) => (ply === 0 ? "up to the root" : `from ply ${ply} down`),
    none: "This search kept no tree.",
    legend: {
      best: "best move",
      pruned: "pruned: not looked at, it could not matter",
      leaf: "evaluated",
      end: "end of the game",
      table: "known from the table",
      cropped: "searched further than shown",
    },
    /** @param {string[]} columns */
    pruned: (columns) => `pruned: ${columns.length > 5 ? plural(columns.length, "move") : columns.join(" ")}`,
    /** @param {string} column @param {string} value @param {number} visits @param {boolean} games */
    node: (column, value, visits, games) => `${column}, ${value}, ${plural(visits, games ? "game" : "node")}`,
    root: "Root",
    /** @param {string} side @param {boolean} largest */
    heading: (side, largest) => `${side}: ${largest ? "largest" : "smallest"}`,
    /** @param {string} side */
    viewpoint: (side) => `All values are seen by ${side}.`,
    atLeast: "≥",
    atMost: "≤",
    drawn: "draw",
    /** @param {string} side */
    won: (side) => `${side} wins`,
    /** @param {boolean} won @param {number} moves */
    decided: (won, moves) => `${won ? "win" : "loss"} in ${moves}`,
    /** @param {string} summary @param {string} agent */
    summary: (agent, summary) => `${agent}: ${summary}`,
  },

  help: {
    open: "Help and keys",
    title: "Keys",
    keys: [
      ["1 – 9, a – z", "drop a disc into that column"],
      ["← →", "choose a column; Enter or Space drops"],
      ["U or Ctrl+Z", "undo"],
      ["R or Ctrl+Y", "redo"],
      ["H", "hint"],
      ["N", "new game"],
      ["S", "scores on or off"],
      ["T", "threats on or off"],
      [", and .", "one move back or on"],
      ["Home, End", "first or last position"],
      ["P", "play or pause two agents"],
      ["Esc", "stop a search, leave a puzzle"],
      ["?", "this help"],
    ],
    wide: "On boards wider than nine columns, letters name columns; hold Shift for the other keys.",
    rulesTitle: "The game",
    rules:
      "Two players drop discs in turn; a disc falls to the lowest free cell of its column. Whoever first has enough discs " +
      "in a line, level, upright or slanting, wins. If the board fills up, it is a draw.",
    slip: "With slip, a disc may land in one of the other open columns. The page shows where it was aimed and where it fell.",
    marks: "Amber discs carry a cross, blue discs a ring.",
  },

  errors: {
    network: "The server does not answer. Is it still running?",
    /** @param {string} message */
    agent: (message) => `The agent cannot move: ${message}`,
    retry: "Try again",
    cutShort: "Part of this address makes no sense, and was left out.",
  },
};
