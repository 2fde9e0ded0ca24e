//! A client of the WebDriver protocol: HTTP with JSON on the loopback interface. It knows what the
//! tests need, and chromedriver alone.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long one command may take. Chosen by hand: starting the browser takes about one second.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a condition of a page may take to become true. Chosen by hand.
const CONDITION_TIMEOUT: Duration = Duration::from_secs(5);

/// The pause between two looks at a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The name under which the protocol returns elements.
const ELEMENT_KEY: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Arguments of the browser: no window, no traffic of its own, and no smooth scrolling, during which
/// clicks miss their targets.
const ARGUMENTS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-prefers-reduced-motion",
];

/// A browser with one window. It ends when this value goes.
pub struct Browser {
    driver: Child,
    /// Kept open, because the driver ends if it cannot write.
    _output: BufReader<ChildStdout>,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser; the driver may be gone already.
        let _ = self.call("DELETE", "", &Value::Null);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// Starts chromedriver on a free port, and a browser with an empty profile.
    pub fn start() -> Result<Browser> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start chromedriver; the package is chromium-driver")?;
        let output = driver.stdout.take().context("chromedriver has no output")?;
        let mut output = BufReader::new(output);
        let port = port_of(&mut output)?;
        let profile = TempDir::new()?;
        let mut browser = Browser {
            driver,
            _output: output,
            port,
            session: String::new(),
            _profile: profile,
        };
        let folder = browser._profile.path().display();
        let mut arguments = ARGUMENTS.map(String::from).to_vec();
        arguments.push(format!("--user-data-dir={folder}"));
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments, "binary": "/usr/bin/chromium"},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let session = browser.request("POST", "/session", &wanted)?;
        let id = session["sessionId"].as_str().context("no session")?;
        browser.session = id.to_string();
        Ok(browser)
    }

    /// Goes back to an empty page with the size, the preferences and the logs of a new browser.
    pub fn reset(&self) -> Result<()> {
        self.devtools("Emulation.clearDeviceMetricsOverride", &json!({}))?;
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": []}))?;
        let enabled = json!({"value": false});
        self.devtools("Emulation.setScriptExecutionDisabled", &enabled)?;
        self.open("about:blank")?;
        self.log("browser")?;
        self.log("performance")?;
        Ok(())
    }

    /// Opens an address.
    pub fn open(&self, address: &str) -> Result<()> {
        self.call("POST", "/url", &json!({"url": address}))?;
        Ok(())
    }

    /// The value of a JavaScript expression on the page.
    pub fn value(&self, expression: &str) -> Result<Value> {
        self.run(&format!("return ({expression});"))
    }

    /// Runs a JavaScript function body on the page and returns its value.
    pub fn run(&self, body: &str) -> Result<Value> {
        self.call(
            "POST",
            "/execute/sync",
            &json!({"script": body, "args": []}),
        )
    }

    /// The visible text of the first element that a selector finds.
    pub fn text(&self, selector: &str) -> Result<String> {
        let element = self.find(selector)?;
        let text = self.call("GET", &format!("/element/{element}/text"), &Value::Null)?;
        Ok(text.as_str().unwrap_or_default().to_string())
    }

    /// Clicks on the first element that a selector finds, as a mouse does.
    pub fn click(&self, selector: &str) -> Result<()> {
        let element = self.find(selector)?;
        self.call("POST", &format!("/element/{element}/click"), &json!({}))
            .with_context(|| format!("cannot click on {selector}"))?;
        Ok(())
    }

    /// Clicks on a place of the window.
    pub fn click_at(&self, x: f64, y: f64) -> Result<()> {
        let actions = json!([
            {"type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round()},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]);
        let mouse = json!({"type": "pointer", "id": "mouse", "actions": actions});
        self.call("POST", "/actions", &json!({"actions": [mouse]}))?;
        Ok(())
    }

    /// Presses keys, each down and up. [`key`] has the names of those that write nothing.
    pub fn press(&self, keys: &str) -> Result<()> {
        let strokes = keys.chars().flat_map(|key| {
            let stroke = |kind: &str| json!({"type": kind, "value": key.to_string()});
            [stroke("keyDown"), stroke("keyUp")]
        });
        let actions: Vec<Value> = strokes.collect();
        let keyboard = json!({"type": "key", "id": "keyboard", "actions": actions});
        self.call("POST", "/actions", &json!({"actions": [keyboard]}))?;
        Ok(())
    }

    /// Waits until an expression is true.
    pub fn wait_for(&self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.value(expression)? != Value::Bool(true) {
            if start.elapsed() > CONDITION_TIMEOUT {
                bail!("never became true: {expression}");
            }
            sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Makes the window this large, in CSS pixels, also smaller than a desktop allows.
    pub fn resize(&self, width: u32, height: u32) -> Result<()> {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics)?;
        Ok(())
    }

    /// Makes the system of the user light or dark: `light` or `dark`.
    pub fn prefer(&self, scheme: &str) -> Result<()> {
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.devtools(
            "Emulation.setEmulatedMedia",
            &json!({"features": [feature]}),
        )?;
        Ok(())
    }

    /// A command of the browser's own protocol.
    pub fn devtools(&self, name: &str, parameters: &Value) -> Result<Value> {
        let body = json!({"cmd": name, "params": parameters});
        self.call("POST", "/goog/cdp/execute", &body)
    }

    /// What the log of this kind, `browser` or `performance`, got since the last call.
    pub fn log(&self, kind: &str) -> Result<Vec<Value>> {
        let entries = self.call("POST", "/se/log", &json!({"type": kind}))?;
        Ok(entries.as_array().cloned().unwrap_or_default())
    }

    /// The whole page as a PNG in base64.
    pub fn screenshot(&self) -> Result<String> {
        let parameters = json!({"format": "png", "captureBeyondViewport": false});
        let shot = self.devtools("Page.captureScreenshot", &parameters)?;
        Ok(shot["data"].as_str().unwrap_or_default().to_string())
    }

    /// The page as it is printed: a PDF in base64.
    pub fn print(&self) -> Result<String> {
        let printed = self.call("POST", "/print", &json!({"background": true}))?;
        Ok(printed.as_str().unwrap_or_default().to_string())
    }

    fn find(&self, selector: &str) -> Result<String> {
        let body = json!({"using": "css selector", "value": selector});
        let found = self
            .call("POST", "/element", &body)
            .with_context(|| format!("nothing matches {selector}"))?;
        let id = found[ELEMENT_KEY].as_str().context("no element")?;
        Ok(id.to_string())
    }

    /// A command of this session.
    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let path = format!("/session/{}{path}", self.session);
        self.request(method, &path, body)
    }

    /// One HTTP request. The connection is closed after it, so the answer ends with the stream.
    fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(COMMAND_TIMEOUT))?;
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let answer = read_answer(BufReader::new(stream))?;
        let answer: Value = serde_json::from_str(&answer).context("not an answer")?;
        let value = answer["value"].clone();
        if let Some(error) = value["error"].as_str() {
            bail!("{error}: {}", value["message"].as_str().unwrap_or_default());
        }
        Ok(value)
    }
}

/// The body of an HTTP answer, by its length.
fn read_answer(mut stream: impl BufRead) -> Result<String> {
    let mut length = None;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let header = line.split_once(':');
        let is_length = |name: &str| name.eq_ignore_ascii_case("content-length");
        if let Some((_, value)) = header.filter(|(name, _)| is_length(name)) {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let mut body = String::new();
    let length = length.context("an answer without length")?;
    stream.take(length).read_to_string(&mut body)?;
    Ok(body)
}

/// The port that chromedriver names when it starts.
fn port_of(output: &mut impl BufRead) -> Result<u16> {
    for line in output.lines() {
        let line = line?;
        let port = line.split_once("successfully on port ");
        let port = port.map(|(_, port)| port);
        if let Some(Ok(port)) = port.map(|port| port.trim_end_matches('.').parse()) {
            return Ok(port);
        }
    }
    bail!("chromedriver names no port");
}

/// Keys that write nothing, as the protocol encodes them.
pub mod key {
    /// One turn back.
    pub const LEFT: &str = "\u{e012}";
    /// One turn forward.
    pub const RIGHT: &str = "\u{e014}";
    /// The first turn.
    pub const HOME: &str = "\u{e011}";
    /// The last turn.
    pub const END: &str = "\u{e010}";
    /// Back to the game.
    pub const ESCAPE: &str = "\u{e00c}";
    /// The next control.
    pub const TAB: &str = "\u{e004}";
    /// Presses a control.
    pub const ENTER: &str = "\u{e007}";
}
