// Plays a game against `zermelo serve-json GAME` with random moves: node examples/client.js connect4
// One JSON object per line goes out, one comes back; docs/protocols.md lists them all.
const {spawn} = require('child_process');
const game = process.argv[2] || 'connect4';
const [program, ...more] = (process.env.ZERMELO || 'zermelo').split(' ');
const child = spawn(program, [...more, 'serve-json', game, '--with', 'default:nodes=2000'], {stdio: ['pipe', 'pipe', 'inherit']});
const lines = require('readline').createInterface({input: child.stdout})[Symbol.asyncIterator]();

async function ask(request) {
  child.stdin.write(JSON.stringify(request) + '\n');
  const {value, done} = await lines.next();
  if (done) throw new Error('zermelo has ended');
  const answer = JSON.parse(value);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

async function main() {
  const hello = await ask({command: 'hello'});
  console.log(`${hello.game}, ${hello.players} players`);
  let at = await ask({command: 'new', seed: 1});
  while (!at.over) {
    let action;
    if (at.to_move === 0) { // we are player 0
      const {actions} = await ask({command: 'actions'});
      action = actions[Math.floor(Math.random() * actions.length)];
    } else ({action} = await ask({command: 'choose'})); // the other players, and chance
    console.log(`${at.to_move}: ${action}`);
    at = await ask({command: 'play', action});
  }
  console.log(at.show + '\nutility ' + at.utility.join(' '));
  await ask({command: 'quit'});
}
main().catch(error => { console.error(error.message); process.exitCode = 1; child.kill(); });
