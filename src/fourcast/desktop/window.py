"""The window: events in, the game's session beside it, a picture out.

Nothing here waits for anybody but the player: agents, advice and new games are thought about in threads, and
looked after once in every step.
"""

from __future__ import annotations

import time
from functools import partial

import pygame
from pygame.event import Event

from fourcast.desktop.adviser import Adviser
from fourcast.desktop.board_view import Fall, Marks, draw_board
from fourcast.desktop.buttons import buttons_of
from fourcast.desktop.display import close_window, open_window, resize_window
from fourcast.desktop.keys import action_of, column_of
from fourcast.desktop.layout import Layout
from fourcast.desktop.overlays import Setup, draw_help, draw_setup
from fourcast.desktop.palette import PAPER
from fourcast.desktop.panel import Said, Target, draw_panel
from fourcast.desktop.words import detail_words, status_words
from fourcast.game.errors import FourcastError, IllegalMove
from fourcast.game.limit import Limit
from fourcast.game.notation import column_name
from fourcast.game.rules import Rules
from fourcast.game.words import verdict
from fourcast.session import Drop, Session, Thought, seat

SIZE = (1080, 760)
_QUICK, _AWAKE, _ASLEEP = 15, 40, 250  # milliseconds that a step waits: discs fall, somebody thinks, neither
_CLOSING = 1.0  # seconds that closing waits for those who think


class Window:
    """A window with a game in it. Call `run`; or `step` again and again until it is False, and `close`.

    Attributes:
        session: The game.
        layout: Where things are.
        held: The column that a disc is held over.
        hint: The column that is pointed at.
        shows_scores: Whether it is written over the columns what they are worth.
        shows_threats: Whether winning cells are marked.
        paused: Whether agents wait.
        message: What is said instead of the game's details, until something happens.
        overlay: What lies over the game: a `Setup`, "help", or nothing.
    """

    def __init__(self, session: Session, limit: str, size: tuple[int, int] = SIZE) -> None:
        """Open the window.

        Args:
            session: The game; it is closed with the window.
            limit: What an agent may spend on a move, as text.
            size: Width and height in pixels.

        Raises:
            NoDisplay: There is no screen to open it on.
        """
        self._surface = open_window("Fourcast", size)
        self.session = session
        self.limit = limit
        self.held: int | None = None
        self.hint: int | None = None
        self.shows_scores = self.shows_threats = self.paused = False
        self.message, self.is_fault = "", False
        self.overlay: Setup | str | None = None
        self.targets: list[Target] = []
        self._adviser = Adviser(session.rules)
        self._wants_hint = False
        self._wants_it_now = False  # asked of an agent before it could begin: a disc was still falling
        self._fall: Fall | None = None
        self._back = 0
        self._size_before: tuple[int, int] | None = None  # of the window, while it fills the screen
        self._is_open = True
        self._coming: Thought[Session] | None = None
        self._going: list[Thought[bool]] = []
        self._arrange()

    # --- the loop ---

    def run(self) -> bool:
        """Play until the window is closed; whether nobody thinks any more."""
        try:
            while self.step():
                pass
        finally:
            ended = self.close()
        return ended

    def step(self) -> bool:
        """Wait a little for events, deal with them, go on with the game, draw; False when it is over."""
        first = pygame.event.wait(self._patience())
        events = [] if first.type == pygame.NOEVENT else [first, *pygame.event.get()]
        for event in events:
            self._handle(event)
        if self._is_open:
            self._advance()
            self._draw()
        return self._is_open

    def close(self) -> bool:
        """Close the window and stop who thinks; whether nobody does any more."""
        self._is_open = False
        close_window()
        ended = self.session.close(_CLOSING)
        ended = self._adviser.close(_CLOSING) and ended
        if self._coming is not None:
            ended = self._coming.wait(0.1) and self._coming_ends() and ended
        return all(thought.wait(0.1) for thought in self._going) and ended

    def _coming_ends(self) -> bool:
        """Close a game that nobody will play."""
        try:
            return self._coming is None or self._coming.answer().close(_CLOSING)
        except FourcastError:  # there is none to close
            return True

    @property
    def is_idle(self) -> bool:
        """Whether it waits for the player: no disc falls, and nobody thinks."""
        thinks = self.session.thought or self._coming or self._adviser.is_busy
        return self._fall is None and not thinks and (self.paused or not self.session.is_agents_turn)

    def _patience(self) -> int:
        """Milliseconds to wait for an event."""
        return _QUICK if self._fall is not None else _ASLEEP if self.is_idle else _AWAKE

    def _advance(self) -> None:
        now = time.monotonic()
        if self._fall is not None and self._fall.is_over(now):
            self._fall = None
        if self._coming is not None:
            self._welcome()
        busy = self.paused or self._fall is not None or self._coming is not None
        try:
            drop = self.session.advance(may_begin=not busy)
        except FourcastError as error:
            self.paused = True
            self._say(str(error), fault=True)
            return
        if drop is not None:
            self._dropped(drop)
        elif self._wants_it_now and self.session.thought is not None:
            self._wants_it_now = False
            self.session.thought.stop()
        self._advise()

    def _advise(self) -> None:
        """Have the columns judged, where it is wanted."""
        position = self.session.position
        if position.is_over or not (self._wants_hint or self.shows_scores) or self.session.is_agents_turn:
            if self._adviser.is_busy:
                self._adviser.give_up()
            self._wants_hint = False
            return
        try:
            found = self._adviser.ask(position)
        except FourcastError as error:
            self.shows_scores = self._wants_hint = False
            self._say(str(error), fault=True)
            return
        if found is not None and self._wants_hint:
            self._wants_hint = False
            self.hint = found.column
            score = found.scores[found.column] if found.scores else None
            worth = "" if score is None else f", {verdict(position, score)}"
            self._say(f"Hint: column {column_name(found.column)}{worth}")

    # --- events ---

    def _handle(self, event: Event) -> None:
        if event.type == pygame.QUIT:
            self._is_open = False
        elif event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
            self._arrange()
        elif event.type == pygame.KEYDOWN:
            self._press(event)
        elif event.type == pygame.MOUSEMOTION and self.overlay is None:
            self._hold(self.layout.column_at(event.pos))
        elif event.type == pygame.WINDOWLEAVE:
            self._hold(None)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._click(event.pos)
        elif event.type == pygame.MOUSEWHEEL and self.overlay is None:
            most = len(self.session.drops) // 2
            self._back = max(0, min(self._back + event.y, most))

    def _press(self, event: Event) -> None:
        if isinstance(self.overlay, Setup) and self._press_setup(self.overlay, event):
            return
        column = column_of(event, self.session.rules.geometry.columns)
        action = None if column is not None else action_of(event)
        if action == "quit":
            self._is_open = False
        elif self.overlay is not None:
            self.overlay = None  # any key takes the help away
        elif column is not None:
            self.drop(column)
        elif action in ("left", "right"):
            self._move_held(-1 if action == "left" else 1)
        elif action == "drop":
            if self.held is not None:
                self.drop(self.held)
        elif action is not None:
            self.act(action)

    def _press_setup(self, setup: Setup, event: Event) -> bool:
        """A key of the dialog; whether it was one."""
        if event.key in (pygame.K_UP, pygame.K_DOWN, pygame.K_TAB):
            back = event.key == pygame.K_UP or event.mod & pygame.KMOD_SHIFT
            setup.row = (setup.row + (-1 if back else 1)) % len(setup.chosen)
        elif event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            setup.turn(setup.row, -1 if event.key == pygame.K_LEFT else 1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.act("start")
        elif event.key == pygame.K_ESCAPE:
            self.act("cancel")
        else:
            return action_of(event) != "quit"
        return True

    def _click(self, point: tuple[int, int]) -> None:
        if self.overlay == "help":
            self.overlay = None
            return
        for target in self.targets:
            if target.place.collidepoint(point):
                self.act(target.action, target.ply)
                return
        column = self.layout.column_at(point) if self.overlay is None else None
        if column is not None:
            self._hold(column)
            self.drop(column)

    def _hold(self, column: int | None) -> None:
        self.held = column

    def _move_held(self, by: int) -> None:
        columns = self.session.rules.geometry.columns
        at = (columns - by) // 2 if self.held is None else self.held
        self.held = max(0, min(at + by, columns - 1))

    # --- what can be done ---

    def drop(self, column: int) -> None:
        """Drop a person's disc, if it is a person's turn and the column is open."""
        if self._coming is not None or self._fall is not None:
            return
        if not self.session.is_persons_turn:
            self._say("" if self.session.position.is_over else "It is not your turn.")
            return
        try:
            self._dropped(self.session.drop(column))
        except IllegalMove as error:
            self._say(str(error).partition(": ")[2] or str(error), fault=True)

    def act(self, action: str, ply: int = 0) -> None:
        """Do what a button or a key stands for."""
        setup = self.overlay if isinstance(self.overlay, Setup) else None
        if setup is not None:
            self._choose(setup, action, ply)
            return
        self._say("")
        if action == "new":
            rules = self.session.rules
            slip = f"{rules.slip:g}"
            self.overlay = Setup([*self.session.names, str(rules.geometry), slip, self.limit])
        elif action == "help":
            self.overlay = "help"
        elif action == "undo":
            self._went(self.session.undo(), "There is nothing to take back.")
        elif action == "redo":
            self._went(self.session.redo(), "There is nothing to make again.")
        elif action in ("back", "on", "first", "last", "look"):
            here, end = self.session.ply, len(self.session.drops)
            wanted = {"back": here - 1, "on": here + 1, "first": 0, "last": end, "look": ply}[action]
            self._went(self.session.look_at(wanted), "")
        elif action == "hint":
            self._ask_for_hint()
        elif action == "scores":
            self.shows_scores = not self.shows_scores
        elif action == "threats":
            self.shows_threats = not self.shows_threats
        elif action == "pause":
            self._pause()
        elif action == "now":
            self._wants_it_now = self.session.is_agents_turn and not self.paused
        elif action == "full":
            self._switch_full_screen()

    def _switch_full_screen(self) -> None:
        size, self._size_before = self._size_before, self._surface.get_size()
        if size is None:
            self._surface = resize_window(None)
        else:
            self._surface, self._size_before = resize_window(size), None
        self._arrange()

    def _pause(self) -> None:
        if not self.session.at_end:
            self.session.play_on()
            self.paused = False
        else:
            self.paused = not self.paused
            if self.paused:
                self.session.give_up()

    def _ask_for_hint(self) -> None:
        if self.session.is_agents_turn or self.session.position.is_over:
            self._say("" if self.session.position.is_over else "It is not your turn.")
        else:
            self._wants_hint = True
            self._say("Looking for a good move ...")

    def _choose(self, setup: Setup, action: str, row: int) -> None:
        if action == "cancel":
            self.overlay = None
        elif action == "choose":
            setup.row = row
        elif action in ("less", "more"):
            setup.turn(row, 1 if action == "more" else -1)
        elif action == "start" and self._coming is None:
            setup.fault = ""
            self._coming = Thought(None, partial(new_session, list(setup.chosen)))

    def _welcome(self) -> None:
        """Change to the new game, once its players are there."""
        if self._coming is None or not self._coming.is_done:
            return
        coming, self._coming = self._coming, None
        setup = self.overlay if isinstance(self.overlay, Setup) else None
        try:
            session = coming.answer()
        except FourcastError as error:
            if setup is not None:
                setup.fault = str(error)
            return
        if setup is None:  # it was cancelled meanwhile
            self._going.append(Thought(None, session.close))
            return
        self._going = [thought for thought in self._going if not thought.is_done]
        self._going += [Thought(None, self.session.close), Thought(None, self._adviser.close)]
        self.session, self.limit, self.overlay = session, setup.chosen[-1], None
        self._adviser = Adviser(session.rules)
        self.held = self._fall = None
        self.paused = False
        self._arrange()
        self._went(True, "")

    def _went(self, somewhere: bool, else_words: str) -> None:
        """Another position is on the board; if not, say why."""
        if somewhere:
            self.hint, self._fall, self._back = None, None, 0
            self._wants_hint = self._wants_it_now = False
            self._say("")
        elif else_words:
            self._say(else_words)

    def _dropped(self, drop: Drop) -> None:
        self._went(True, "")
        rows = self.session.rules.geometry.rows
        row = sum(1 for each in self.session.drops[: self.session.ply] if each.landed == drop.landed) - 1
        self._fall = Fall(drop.landed, row, time.monotonic(), rows - row)

    def _say(self, message: str, *, fault: bool = False) -> None:
        self.message, self.is_fault = message, fault

    # --- the picture ---

    def _arrange(self) -> None:
        self._surface = pygame.display.get_surface() or self._surface
        self.layout = Layout(self._surface.get_size(), self.session.rules.geometry)

    def _draw(self) -> None:
        surface = self._surface
        surface.fill(PAPER)
        session, now = self.session, time.monotonic()
        mine = session.is_persons_turn and self._fall is None
        marks = Marks(
            held=self.held if mine else None,
            hint=self.hint,
            worth=self._adviser.known(session.position) if self.shows_scores else None,
            threats=self.shows_threats,
            last=session.last,
            fall=self._fall,
        )
        draw_board(surface, self.layout, session.position, marks, now)
        buttons = buttons_of(
            session, paused=self.paused, scores=self.shows_scores, threats=self.shows_threats
        )
        self.targets = draw_panel(surface, self.layout, session, self._said(), buttons, self._back)
        if isinstance(self.overlay, Setup):
            self.targets = draw_setup(surface, self.overlay, preparing=self._coming is not None)
        elif self.overlay == "help":
            draw_help(surface, session.rules.geometry.columns)
        pygame.display.flip()

    def _said(self) -> Said:
        status = status_words(self.session, paused=self.paused)
        if self.message:
            return Said(status, self.message, self.is_fault)
        detail = detail_words(self.session)
        judged = self._adviser.is_busy and self.shows_scores
        return Said(status, "Judging the columns ..." if judged else detail)


def new_session(chosen: list[str]) -> Session:
    """The game that was chosen: two specs, a board, a slip and a limit.

    Raises:
        FourcastError: There is no such game.
    """
    first, second, board, slip, limit = chosen
    rules = Rules(board, float(slip))
    players = [seat(spec, rules, None, side) for side, spec in enumerate((first, second))]
    return Session(rules, (first, second), players, Limit.parse(limit))
