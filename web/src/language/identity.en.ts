/**
 * Texts of an order at the electronic identity, in English. Those under `bankId` are BankID's own, word for word but for
 * typing errors, under its names for them.
 */
export const en = {
  waiting: {
    signIn: 'Waiting for you to identify yourself …',
    signing: 'Waiting for your signature …',
  },
  demo: {
    open: 'Open the demo identity',
    goOn: 'Answer there and come back: this page goes on by itself.',
  },
  oidc: {
    open: 'Go on to your electronic identity',
    goOn: 'You answer there and are brought back here.',
  },
  openHere: 'Open BankID on this device',
  thisDevice: 'Use BankID on this device',
  otherDevice: 'Use BankID on another device',
  code: 'QR code to be scanned with the BankID app',
  noCode: 'The QR code did not arrive. Load the page again to get it.',
  staleCode: 'The QR code is shown again once there is contact.',
  scan: {
    how: 'How to scan the QR code',
    start: 'Start the BankID app on your phone.',
    press: 'Press Scan QR code.',
    point: 'Point the camera at the code on this screen.',
  },
  timeLeft: 'Time left: {{time}}',
  offline: 'There is no contact with the service. This page keeps trying.',
  bankId: {
    RFA1: 'Start your BankID app.',
    RFA3: 'The action was cancelled. Please try again.',
    RFA4: 'An identification or signature is already in progress for your personal identity number. Please try again.',
    RFA5: 'Something went wrong. Please try again.',
    RFA6: 'The action was cancelled.',
    RFA8: 'The BankID app is not responding. Please check that it’s started and that you have internet access. Try again.',
    RFA9: 'Enter your security code in the BankID app and select Identify or Sign.',
    RFA13: 'Trying to start your BankID app.',
    RFA15A:
      'Searching for BankID. Make sure you have a valid BankID on this computer. If you have a BankID on card, please insert the card into your card reader.',
    RFA15B: 'Searching for BankID. Make sure you have a valid BankID on this device.',
    RFA16: 'Your BankID is blocked or too old. Please use another BankID or get a new one from your bank.',
    RFA17A:
      'You don’t seem to have the BankID app/program. Please install it and get a BankID from your bank.',
    RFA17B: 'Failed to scan the QR code. Start the BankID app and scan the QR code.',
    RFA21: 'An identification or signing is in progress.',
    RFA22: 'Something went wrong. Please try again.',
    RFA23: 'Take a photo of, and scan, your ID document with the BankID app.',
  },
  next: {
    again: 'Nothing has happened. You can begin again whenever you like.',
    replaced:
      'It gave way to another one that was begun in your name. Cancel that one in the app unless you began it: never answer what you did not begin.',
    inProgress:
      'Both were ended. Close what the app shows, and begin again here. If you did not begin the other one, somebody else did in your name: never answer what you did not begin.',
    network: 'The phone with the app must be on the internet too.',
    bank: 'You order a new one in your bank’s app or on its website.',
    own: 'Only the person who is signed in here can sign, with their own BankID. If it was yours, order a new one in your bank’s app or on its website.',
    install: 'The app is in your app store and at install.bankid.com.',
    scan: 'A new code is shown when you try again. Without the app, get it at install.bankid.com.',
    update: 'The app is too old for this. Update it in your app store first.',
    risk: 'BankID stopped it because it looked unsafe. Use a device and a network of your own. If nobody but you began it, and it is stopped again, ask your bank.',
    tell: 'If it goes wrong again, tell whoever runs this service that BankID said “{{reason}}”.',
  },
  reason: {
    refused: 'It was refused in the electronic identity. You can begin again whenever you like.',
    expired: 'It was not answered in time. Begin again, and answer within a few minutes.',
    other_person:
      'Somebody else answered. Only the person who is signed in here can sign: use your own electronic identity, or sign in as whoever is to sign.',
    other_network:
      'The BankID app was on another network than this page, so we cannot see that both are on this device. Scan the QR code with the phone that has your BankID. If that is this phone, turn off VPN and iCloud Private Relay, then choose Use BankID on this device.',
    no_public_address:
      'This service cannot see your network address, so BankID was not started. Tell those who run it: NUMERA_TRUST_PROXY must name each proxy in front of the service.',
    unavailable:
      '{{provider}} cannot be reached just now. Nothing has happened. Wait a few minutes, then try again.',
    not_verified:
      'What {{provider}} answered could not be verified, so nothing was done with it. Try again. If it happens again, tell whoever runs this service.',
    over: 'This try is over. Begin again.',
    other:
      'The electronic identity could not go on ({{reason}}). Try again. If it happens again, tell whoever runs this service.',
  },
  byCode: 'Scan the QR code instead',
  return: {
    title: 'Back from BankID',
    other: 'Begun in another browser',
    goBack:
      'BankID opened this page in a browser where nothing was begun, so nothing was signed in here. If you began in another browser or app on this device, go back to it: it continues by itself.',
    warning:
      'If you did not begin this yourself, someone may have sent you a link to sign in as you. Never confirm in BankID what you did not begin.',
    start: 'Go to the first page',
  },
  electronicIdentity: 'The electronic identity',
}
