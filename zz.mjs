import { chromium } from 'playwright-core'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
const base = 'http://127.0.0.1:4361'
const shots = JSON.parse(process.argv[2])
for (const [name, path, dark, width, who = 'admin'] of shots) {
  const c = await b.newContext({ viewport: { width, height: width < 500 ? 844 : 900 } })
  const p = await c.newPage()
  const r = await p.request.post(base + '/api/v1/login', { multipart: { email: `${who}@arus.example`, password: 'Arus-demo-1', user_agent: 'x' } })
  const { data } = await r.json()
  await c.addCookies([{ name: 'token', value: data.token, url: base }, { name: 'log_login_id', value: String(data.log_login_id), url: base }])
  await p.goto(base + path); await p.waitForTimeout(2500)
  if (dark) await p.evaluate(() => { document.documentElement.dataset.theme = 'dark' })
  await p.waitForTimeout(200)
  await p.screenshot({ path: `/tmp/shot-${name}.png` })
  await c.close()
}
await b.close()
