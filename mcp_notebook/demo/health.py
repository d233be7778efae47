"""`check_health`: four forms in turn, in Japanese. Each step is asked once the one before is answered."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Elicit, ElicitationResult, Resolve
from pydantic import BaseModel, Field, JsonValue

_MOODS = {"good": "良い", "fair": "普通", "poor": "悪い"}
_OPTIONS: list[JsonValue] = [{"const": mood, "title": title} for mood, title in _MOODS.items()]


class Person(BaseModel):
    """健康チェック 1/4."""

    name: str = Field(title="お名前", min_length=1, max_length=40)
    age: int = Field(title="年齢", ge=0, le=120)


class Sleep(BaseModel):
    """健康チェック 2/4."""

    hours: float = Field(title="睡眠時間(時間)", ge=0, le=24)
    mood: str = Field(
        title="今日の体調",
        json_schema_extra={"oneOf": [{"const": mood, "title": title} for mood, title in _MOODS.items()]},
    )


class Exercise(BaseModel):
    """健康チェック 3/4."""

    exercises: bool = Field(title="週に一度以上運動しますか")


class Remarks(BaseModel):
    """健康チェック 4/4."""

    smokes: bool = Field(title="たばこを吸いますか")
    remarks: str | None = Field(None, title="気になること", description="なければ空欄のままで結構です", max_length=200)


def ask_person() -> Elicit[Person]:
    """Ask step 1."""
    return Elicit("健康チェックを始めます。お名前と年齢を教えてください。(1/4)", Person)


PersonAnswer = Annotated[ElicitationResult[Person], Resolve(ask_person)]


def ask_sleep(person: PersonAnswer) -> Elicit[Sleep] | None:
    """Ask step 2."""
    return Elicit("昨夜の睡眠と今日の体調を教えてください。(2/4)", Sleep) if _goes_on(person) else None


SleepAnswer = Annotated[ElicitationResult[Sleep], Resolve(ask_sleep)]


def ask_exercise(sleep: SleepAnswer) -> Elicit[Exercise] | None:
    """Ask step 3."""
    return Elicit("運動についてお聞きします。(3/4)", Exercise) if _goes_on(sleep) else None


ExerciseAnswer = Annotated[ElicitationResult[Exercise], Resolve(ask_exercise)]


def ask_remarks(exercise: ExerciseAnswer) -> Elicit[Remarks] | None:
    """Ask step 4."""
    return Elicit("最後の質問です。(4/4)", Remarks) if _goes_on(exercise) else None


RemarksAnswer = Annotated[ElicitationResult[Remarks], Resolve(ask_remarks)]


def check_health(person: PersonAnswer, sleep: SleepAnswer, exercise: ExerciseAnswer, remarks: RemarksAnswer) -> str:
    """Check your health in four short forms, one after the other, in Japanese (健康チェック)."""
    actions = [answer.action for answer in (person, sleep, exercise, remarks)]
    if "decline" in actions:
        return f"健康チェックは{actions.index('decline') + 1}番目の質問で辞退されました。"
    if "cancel" in actions:
        return f"健康チェックは{actions.index('cancel') + 1}番目の質問で中止されました。"
    return _summary(person.data, sleep.data, exercise.data, remarks.data)  # pyright: ignore[reportAttributeAccessIssue]


def _summary(person: Person, sleep: Sleep, exercise: Exercise, remarks: Remarks) -> str:
    return "\n".join(
        [
            f"{person.name}さん({person.age}歳)の健康チェックの結果",
            f"・睡眠: {sleep.hours:g}時間、体調: {_MOODS[sleep.mood]}",
            f"・運動: {'しています' if exercise.exercises else 'していません'}",
            f"・たばこ: {'吸います' if remarks.smokes else '吸いません'}",
            f"・気になること: {remarks.remarks or '特になし'}",
        ]
    )


def _goes_on(answer: ElicitationResult[Any]) -> bool:
    """Whether the step before was asked and answered."""
    return answer.action == "accept" and answer.data is not None
