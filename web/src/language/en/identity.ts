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
    continue: 'Answer there and come back. This page continues automatically.',
  },
  oidc: {
    open: 'Continue to your electronic identity',
    continue: 'You answer there and are then sent back here.',
  },
  openHere: 'Open BankID on this device',
  thisDevice: 'Use BankID on this device',
  otherDevice: 'Use BankID on another device',
  code: 'QR code to scan with the BankID app',
  noCode: 'The QR code could not be loaded. Reload the page.',
  staleCode: 'The QR code is shown again when the connection is back.',
  scan: {
    how: 'How to scan the QR code',
    start: 'Start the BankID app on your phone.',
    press: 'Press Scan QR code.',
    point: 'Point the camera at the code on this screen.',
  },
  timeLeft: 'Time left: {{time}}',
  offline: 'The service cannot be reached. This page keeps trying.',
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
    again: 'Nothing was done. You can start again at any time.',
    replaced:
      'It was replaced by another one started in your name. If you did not start that one, cancel it in the app. Never approve anything you did not start yourself.',
    inProgress:
      'Both were cancelled. Close what the app shows and start again here. If you did not start the other one, someone else did so in your name. Never approve anything you did not start yourself.',
    network: 'The phone with the app must also be online.',
    bank: 'You can order a new one in your bank’s app or on its website.',
    own: 'Only the person who is signed in here can sign, with their own BankID. If it was yours, you can order a new one in your bank’s app or on its website.',
    install: 'You find the app in your app store and at install.bankid.com.',
    scan: 'A new code is shown when you try again. If you do not have the app, get it at install.bankid.com.',
    update: 'The app is too old. Update it in your app store first.',
    risk: 'BankID stopped it because it looked unsafe. Use your own device and network. If you started it yourself and it is stopped again, contact your bank.',
    tell: 'If it happens again, tell the operator of this service that BankID answered “{{reason}}”.',
  },
  reason: {
    refused: 'You refused in the electronic identity. You can start again at any time.',
    expired: 'It was not answered in time. Start again, and answer within a few minutes.',
    other_person:
      'Someone else answered. Only the person who is signed in here can sign. Use your own electronic identity, or sign in as the person who should sign.',
    other_network:
      'The BankID app was on a different network from this page, so we cannot tell that both are on this device. Scan the QR code with the phone that has your BankID. If that is this phone, turn off VPN and iCloud Private Relay, then choose Use BankID on this device.',
    no_public_address:
      'This service cannot see your network address, so BankID was not started. Tell the operator of this service that NUMERA_TRUST_PROXY must name each proxy in front of it.',
    unavailable:
      '{{provider}} cannot be reached right now. Nothing was done. Wait a few minutes, then try again.',
    not_verified:
      '{{provider}} gave an answer that could not be verified, so it was not used. Try again. If it happens again, contact the operator of this service.',
    over: 'This attempt is over. Start again.',
    other:
      'The electronic identity could not continue ({{reason}}). Try again. If it happens again, contact the operator of this service.',
  },
  byCode: 'Scan the QR code instead',
  return: {
    title: 'Back from BankID',
    other: 'Started in another browser',
    goBack:
      'BankID opened this page in a browser where you have not started anything, so you were not signed in here. If you started in another browser or app on this device, go back to it. It continues automatically.',
    warning:
      'If you did not start this yourself, someone may have sent you a link in order to sign in as you. Never confirm anything in BankID that you did not start yourself.',
    start: 'Go to the start page',
  },
  electronicIdentity: 'The electronic identity',
}
