//! The words of PostgreSQL's messages in the languages that it is translated to (`lc_messages`).

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

/// The severities of errors, and the titles of a message's other parts.
const ERRORS: &[&str] = &[
    "ERROR",
    "FATAL",
    "PANIC",
    "DETAIL",
    "HINT",
    "QUERY",
    "CONTEXT",
    "LOCATION",
    "STATEMENT",
    "BACKTRACE",
    // de, es, fr, it, pt_BR, pl, tr, sv
    "FEHLER",
    "PANIK",
    "TIPP",
    "ANFRAGE",
    "ZUSAMMENHANG",
    "ORT",
    "ANWEISUNG",
    "DETALLE",
    "CONSULTA",
    "CONTEXTO",
    "UBICACIÓN",
    "SENTENCIA",
    "ERREUR",
    "DÉTAIL",
    "ASTUCE",
    "REQUÊTE",
    "CONTEXTE",
    "EMPLACEMENT",
    "INSTRUCTION",
    "PILE D'APPEL",
    "ERRORE",
    "FATALE",
    "PANICO",
    "DETTAGLI",
    "SUGGERIMENTO",
    "CONTESTO",
    "POSIZIONE",
    "ISTRUZIONE",
    "ERRO",
    "PÂNICO",
    "DETALHE",
    "DICA",
    "LOCALIZAÇÃO",
    "COMANDO",
    "BŁĄD",
    "KATASTROFALNY",
    "PANIKA",
    "SZCZEGÓŁY",
    "PODPOWIEDŹ",
    "ZAPYTANIE",
    "KONTEKST",
    "POZYCJA",
    "WYRAŻENIE",
    "HATA",
    "ÖLÜMCÜL",
    "AYRINTI",
    "İPUCU",
    "SORGU",
    "FEL",
    "FATALT",
    "DETALJ",
    "TIPS",
    "FRÅGA",
    "KONTEXT",
    "PLATS",
    "SATS",
    // ja, ka, ko
    "詳細",
    "ヒント",
    "問い合わせ",
    "文脈",
    "場所",
    "文",
    "バックトレース",
    "შეცდომა",
    "ფატალური",
    "პანიკა",
    "დეტალები",
    "მინიშნება",
    "მოთხოვნა",
    "კონტექსტი",
    "მდებარეობა",
    "ოპერატორი",
    "სტეკი",
    "오류",
    "치명적오류",
    "손상",
    "상세정보",
    "힌트",
    "내용",
    "위치",
    "명령 구문",
    "역추적",
    "쿼리",
    // ru, uk, zh_CN
    "ОШИБКА",
    "ВАЖНО",
    "ПАНИКА",
    "ПОДРОБНОСТИ",
    "ПОДСКАЗКА",
    "ЗАПРОС",
    "КОНТЕКСТ",
    "ПОЛОЖЕНИЕ",
    "ОПЕРАТОР",
    "СТЕК",
    "ПОМИЛКА",
    "ФАТАЛЬНО",
    "ПАНІКА",
    "ВІДОМОСТІ",
    "УКАЗІВКА",
    "ЗАПИТ",
    "РОЗТАШУВАННЯ",
    "ІНСТРУКЦІЯ",
    "ВІДСТЕЖУВАТИ",
    "错误",
    "致命错误",
    "比致命错误还过分的错误",
    "详细信息",
    "提示",
    "查询",
    "上下文",
    "位置",
    "语句",
];

/// What a line of a log begins with, before its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Severity<'a> {
    /// The `log_line_prefix`.
    pub(super) prefix: &'a str,
    pub(super) text: &'a str,
    pub(super) level: Level,
}

/// How likely the text is about a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Log,
    /// `INFO`, `NOTICE`, `WARNING`, `DEBUG`.
    Other,
    /// An error, or a part of another message.
    Never,
}

impl<'a> Severity<'a> {
    /// Finds the severity of a line: one of the words, a colon, and two blanks.
    pub(super) fn find(line: &'a str) -> Option<Self> {
        let mut from = 0;
        loop {
            let colon = from + line[from..].find(": ")?;
            from = colon + 2;
            let (before, behind) = (&line[..colon], &line[from..]);
            // Some titles have fewer blanks, or others.
            let Some(text) = behind.strip_prefix(' ').or_else(|| behind.is_empty().then_some(""))
            else {
                continue;
            };
            // French has a blank before the colon.
            let before = before.strip_suffix(' ').unwrap_or(before);
            let of = |words: &[&str]| words.iter().find_map(|word| prefix(before, word));
            let levels = [(LOGS, Level::Log), (SEVERITIES, Level::Other), (ERRORS, Level::Never)];
            for (words, level) in levels {
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
