//! The words of PostgreSQL's messages in the languages that it is translated to (`lc_messages`).

use memchr::memchr;

use super::messages::Event;

/// Before the SQL of a statement.
pub(super) const STATEMENT: &[&str] = &[
    "statement: ",
    "Anweisung: ",
    "sentencia: ",
    "instruction : ",
    "istruzione: ",
    "文: ",
    "ოპერატორი: ",
    "გამოსახულება: ",
    "명령 구문: ",
    "оператор: ",
    "sats: ",
    "语句: ",
    "comando: ",
    "wyrażenie: ",
    "ifade: ",
];

/// Before the name of a prepared statement, which `: ` and the SQL follow.
pub(super) const EXECUTE: &[&str] = &[
    "execute ",
    "Ausführen ",
    "ejecutar ",
    "exécute ",
    "esecuzione di ",
    "実行 ",
    "取り出し実行 ",
    "გაშვება ",
    "쿼리실행 ",
    "자료뽑기 ",
    "выполнение ",
    "выборка из ",
    "kör ",
    "виконувати ",
    "виконати витягнення з ",
    "执行",
    "executar ",
    "wykonanie ",
];

/// Before the name of a statement that is parsed or bound, which `: ` and the SQL follow; and before a function that is
/// called without SQL.
pub(super) const STEPS: &[&str] = &[
    "parse ",
    "bind ",
    "Parsen ",
    "Binden ",
    "parse: ",
    "analyse ",
    "lien ",
    "analisi di ",
    "パース",
    "バインド ",
    "მიბმა ",
    "разбор ",
    "сообщение Bind ",
    "аналізування ",
    "повідомлення bind ",
    "解析 ",
    "绑定",
    "análise ",
    "ligação ",
    "parsowanie ",
    "dowiązanie ",
    "ayrıştırma ",
    "fastpath function call: ",
    "Fastpath-Funktionsaufruf: ",
    "llamada a función fastpath: ",
    "appel de fonction fastpath : ",
    "chiamata funzione fastpath: ",
    "ファストパス関数呼び出し: ",
    "fastpath 함수 호출: ",
    "вызов функции (через fastpath): ",
    "fastpath funktionsanrop: ",
    "виклик функції fastpath: ",
    "快速路经的函数调用: ",
];

/// Behind that name, where it comes first.
pub(super) const STEPS_BEHIND: &[&str] = &["-ის დამუშავება: ", " 구문분석: ", " 접속: "];

/// Before the values of parameters.
pub(super) const PARAMETERS: &[&str] = &[
    "parameters: ",
    "Parameters: ",
    "Parameter: ",
    "parámetros: ",
    "paramètres : ",
    "parametri: ",
    "パラメータ: ",
    "პარამეტრები: ",
    "매개 변수: ",
    "параметры: ",
    "parametrar: ",
    "параметри: ",
    "参数: ",
    "parâmetros: ",
    "parametry: ",
    "parametreler: ",
];

/// Before a number.
pub(super) const DURATION: &[&str] = &[
    "duration: ",
    "Dauer: ",
    "duración: ",
    "durée : ",
    "durata: ",
    "期間: ",
    "ხანგრძლივობა: ",
    "실행시간: ",
    "수행시간: ",
    "продолжительность: ",
    "varaktighet: ",
    "varaktighet ",
    "тривалість: ",
    "执行时间: ",
    "duração: ",
    "czas trwania: ",
    "süre: ",
    // Of function calls.
    "작업시간: ",
    "продолжительность ",
    "持续时间: ",
];

/// After it.
pub(super) const UNITS: &[&str] = &["ms", "мс", "ミリ秒", "მწმs", "მწმ", "milisaniye"];

/// The severity of the messages that are about statements.
const LOGS: &[&str] =
    &["LOG", "LOGG", "DZIENNIK", "ჟურნალი", "로그", "СООБЩЕНИЕ", "ЗАПИСУВАННЯ", "日志"];

/// The other severities that `auto_explain` can be set to.
const SEVERITIES: &[&str] = &[
    "INFO",
    "NOTICE",
    "WARNING",
    "DEBUG",
    "DEBUG1",
    "DEBUG2",
    "DEBUG3",
    "DEBUG4",
    "DEBUG5",
    // de, fr, it, es, pt_BR, pl, tr, sv
    "HINWEIS",
    "WARNUNG",
    "ATTENTION",
    "NOTIFICA",
    "ATTENZIONE",
    "NOTA",
    "AVISO",
    "UWAGA",
    "OSTRZEŻENIE",
    "INFORMACJA",
    "NOT",
    "UYARI",
    "BİLGİ",
    "NOTIS",
    "VARNING",
    // ka, ko, ru, uk, zh_CN
    "გამართვა",
    "ინფორმაცია",
    "გაფრთხილება",
    "디버그",
    "정보",
    "알림",
    "경고",
    "ОТЛАДКА",
    "ИНФОРМАЦИЯ",
    "ЗАМЕЧАНИЕ",
    "ПРЕДУПРЕЖДЕНИЕ",
    "НАЛАГОДЖЕННЯ",
    "ІНФОРМАЦІЯ",
    "ПОВІДОМЛЕННЯ",
    "ПОПЕРЕДЖЕННЯ",
    "调试",
    "信息",
    "注意",
    "警告",
];

/// The severities of errors.
const ERRORS: &[&str] = &[
    "ERROR",
    "FATAL",
    "PANIC",
    // de, fr, it, pt_BR, pl, tr, sv
    "FEHLER",
    "PANIK",
    "ERREUR",
    "ERRORE",
    "FATALE",
    "PANICO",
    "ERRO",
    "PÂNICO",
    "BŁĄD",
    "KATASTROFALNY",
    "PANIKA",
    "HATA",
    "ÖLÜMCÜL",
    "FEL",
    "FATALT",
    // ka, ko, ru, uk, zh_CN
    "შეცდომა",
    "ფატალური",
    "პანიკა",
    "오류",
    "치명적오류",
    "손상",
    "ОШИБКА",
    "ВАЖНО",
    "ПАНИКА",
    "ПОМИЛКА",
    "ФАТАЛЬНО",
    "ПАНІКА",
    "错误",
    "致命错误",
    "比致命错误还过分的错误",
];

/// The titles of a message's detail, which has the values of parameters.
const DETAILS: &[&str] = &[
    "DETAIL",
    // es, fr, it, pt_BR, pl, tr, sv
    "DETALLE",
    "DÉTAIL",
    "DETTAGLI",
    "DETALHE",
    "SZCZEGÓŁY",
    "AYRINTI",
    "DETALJ",
    // ja, ka, ko, ru, uk, zh_CN
    "詳細",
    "დეტალები",
    "상세정보",
    "ПОДРОБНОСТИ",
    "ВІДОМОСТІ",
    "详细信息",
];

/// The titles of the statement that has caused a message.
const STMTS: &[&str] = &[
    "STATEMENT",
    // de, es, fr, it, pt_BR, pl, tr, sv
    "ANWEISUNG",
    "SENTENCIA",
    "INSTRUCTION",
    "ISTRUZIONE",
    "COMANDO",
    "WYRAŻENIE",
    "İFADE",
    "SATS",
    // ja, ka, ko, ru, uk, zh_CN
    "文",
    "ოპერატორი",
    "명령 구문",
    "ОПЕРАТОР",
    "ІНСТРУКЦІЯ",
    "语句",
];

/// The titles of a message's other parts.
const PARTS: &[&str] = &[
    "HINT",
    "QUERY",
    "CONTEXT",
    "LOCATION",
    "BACKTRACE",
    // de, es, fr, it, pt_BR, pl, tr, sv
    "TIPP",
    "ANFRAGE",
    "ZUSAMMENHANG",
    "ORT",
    "CONSULTA",
    "CONTEXTO",
    "UBICACIÓN",
    "ASTUCE",
    "REQUÊTE",
    "CONTEXTE",
    "EMPLACEMENT",
    "PILE D'APPEL",
    "SUGGERIMENTO",
    "CONTESTO",
    "POSIZIONE",
    "DICA",
    "LOCALIZAÇÃO",
    "PODPOWIEDŹ",
    "ZAPYTANIE",
    "KONTEKST",
    "POZYCJA",
    "İPUCU",
    "SORGU",
    "TIPS",
    "FRÅGA",
    "KONTEXT",
    "PLATS",
    // ja, ka, ko, ru, uk, zh_CN
    "ヒント",
    "問い合わせ",
    "文脈",
    "場所",
    "バックトレース",
    "მინიშნება",
    "მოთხოვნა",
    "კონტექსტი",
    "მდებარეობა",
    "სტეკი",
    "힌트",
    "내용",
    "위치",
    "역추적",
    "쿼리",
    "ПОДСКАЗКА",
    "ЗАПРОС",
    "КОНТЕКСТ",
    "ПОЛОЖЕНИЕ",
    "СТЕК",
    "УКАЗІВКА",
    "ЗАПИТ",
    "РОЗТАШУВАННЯ",
    "ВІДСТЕЖУВАТИ",
    "提示",
    "查询",
    "上下文",
    "位置",
];

/// What a line of a log begins with, before its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Severity<'a> {
    /// The `log_line_prefix`.
    pub(super) prefix: &'a str,
    pub(super) text: &'a str,
    pub(super) level: Level,
}

/// What follows a severity or title.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Level {
    /// A message that may be about a statement.
    #[default]
    Log,
    /// `INFO`, `NOTICE`, `WARNING`, `DEBUG`.
    Other,
    Error,
    /// More about the message before.
    Part(Part),
}

/// A part of a message behind its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Detail,
    Stmt,
    Other,
}

const LEVELS: [(&[&str], Level); 6] = [
    (LOGS, Level::Log),
    (SEVERITIES, Level::Other),
    (ERRORS, Level::Error),
    (DETAILS, Level::Part(Part::Detail)),
    (STMTS, Level::Part(Part::Stmt)),
    (PARTS, Level::Part(Part::Other)),
];

impl Level {
    /// Returns the level that a severity has.
    pub(super) fn of(severity: &str) -> Option<Self> {
        LEVELS.iter().find(|(words, _)| words.contains(&severity)).map(|(_, level)| *level)
    }
}

impl<'a> Severity<'a> {
    /// Finds the severity of a line: one of the words, a colon, and two blanks; or a single one, if what follows is certainly
    /// about a statement, for some programs join blanks.
    pub(super) fn find(line: &'a str) -> Option<Self> {
        let bytes = line.as_bytes();
        let mut from = 0;
        loop {
            // A byte is found faster than two.
            let colon = from + memchr(b':', &bytes[from..])?;
            from = colon + 1;
            if bytes.get(from) != Some(&b' ') {
                continue;
            }
            from += 1;
            let (before, behind) = (&line[..colon], &line[from..]);
            // Some titles have fewer blanks, or others.
            let Some(text) = behind.strip_prefix(' ').or_else(|| behind.is_empty().then_some(""))
            else {
                if let Some(prefix) = LOGS.iter().find_map(|word| prefix(before, word))
                    && Event::begins_in(behind)
                {
                    return Some(Self { prefix, text: behind, level: Level::Log });
                }
                continue;
            };
            // French has a blank before the colon.
            let before = before.strip_suffix(' ').unwrap_or(before);
            let of = |words: &[&str]| words.iter().find_map(|word| prefix(before, word));
            for (words, level) in LEVELS {
                if let Some(prefix) = of(words) {
                    return Some(Self { prefix, text, level });
                }
            }
        }
    }
}

/// Returns the text before a whole word at its end.
fn prefix<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_suffix(word).filter(|prefix| !prefix.ends_with(char::is_alphabetic))
}
