"""The rules of senders, pure: these modules import nothing but each other, and pass `packages/vectors`."""
