"""What a seat wants to do and say, without any model: advice, targets, lies as whole worlds; pure."""
